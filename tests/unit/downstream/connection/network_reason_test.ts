import { assertEquals } from "@std/assert";
import {
  isConnectFailure,
  toNetworkReason,
} from "../../../../src/downstream/connection/network_reason.ts";

const at = "error sending request for url (http://me:pw@x/): ";

Deno.test("toNetworkReason() says why in fixed words", () => {
  const cases: Array<[string, string | undefined]> = [
    [`${at}client error (Connect): tcp connect error: Connection refused`, "connection refused"],
    [`${at}client error (Connect): dns error: failed to lookup`, "its host name is not known"],
    [
      `${at}client error (Connect): invalid peer certificate`,
      "its TLS certificate is not accepted",
    ],
    [`${at}connection closed before message completed`, "connection lost"],
    [`${at}something new`, "the connection failed"],
    ["Unexpected token", undefined],
  ];
  for (const [message, reason] of cases) {
    assertEquals(toNetworkReason(new TypeError(message)), reason, message);
    const wrapped = new Error("Version negotiation failed", { cause: new TypeError(message) });
    assertEquals(toNetworkReason(wrapped), reason, message);
  }
});

Deno.test("isConnectFailure() holds only where no connection was made", () => {
  assertEquals(isConnectFailure(new TypeError(`${at}client error (Connect): tcp`)), true);
  assertEquals(isConnectFailure(new TypeError(`${at}connection closed before message`)), false);
  assertEquals(isConnectFailure("client error (Connect)"), false);
});
