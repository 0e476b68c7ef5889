import { assert, assertEquals } from "@std/assert";
import { SECCOMP_PROFILE } from "../../../../src/engine/container/seccomp_profile.ts";

interface Rule {
  names: string[];
  action: string;
  args?: { index: number; op: string; value: number; valueTwo?: number }[];
}

interface Profile {
  defaultAction: string;
  syscalls: Rule[];
}

const profile: Profile = JSON.parse(SECCOMP_PROFILE);
const allowing = ({ syscalls }: Profile) =>
  syscalls.filter(({ action }) => action === "SCMP_ACT_ALLOW");
const always = new Set(allowing(profile).filter(({ args }) => !args).flatMap(({ names }) => names));

Deno.test("SECCOMP_PROFILE refuses what it does not name", () => {
  assertEquals(profile.defaultAction, "SCMP_ACT_ERRNO");
  const dangerous =
    `add_key bpf capset chroot clone clone3 fsopen init_module io_setup io_uring_setup
    kexec_load keyctl memfd_create mount name_to_handle_at open_by_handle_at open_tree perf_event_open
    personality pidfd_getfd process_vm_readv ptrace seccomp setns socket socketpair statmount unshare
    userfaultfd`;
  assertEquals(dangerous.split(/\s+/).filter((name) => always.has(name)), []);
});

Deno.test("SECCOMP_PROFILE allows sockets by family and protocol, and clone without namespaces", () => {
  const conditional = allowing(profile).flatMap(({ names, args }) =>
    (args ? names : []).map((name) =>
      [name, ...args!.flatMap(({ index, op, value, valueTwo }) => [index, op, value, valueTwo])]
        .filter((part) => part !== undefined && part !== "SCMP_CMP_EQ").join(" ")
    )
  );
  assertEquals(conditional, [
    "socket 0 1",
    "socketpair 0 1",
    ...["2", "10"].flatMap((family) =>
      ["0", "6", "17"].map((protocol) => `socket 0 ${family} 2 ${protocol}`)
    ),
    "socket 0 16 2 0",
    "clone 0 SCMP_CMP_MASKED_EQ 2114060288 0",
  ]);
});

const DEFAULT_FILE = "/usr/share/containers/seccomp.json";
const installed = await Deno.readTextFile(DEFAULT_FILE).catch(() => undefined);

Deno.test({
  name: `SECCOMP_PROFILE is stricter than podman's own${
    installed === undefined ? " (skipped: no podman here brings one)" : ""
  }`,
  ignore: installed === undefined,
  fn() {
    const theirs = new Set(
      allowing(JSON.parse(installed!)).flatMap(({ names }) => names),
    );
    assert(theirs.size > always.size);
    // Younger than the podman of some machines, and variants of what it allows.
    const younger = ["fchmodat2", "futex_waitv"];
    assertEquals([...always].filter((name) => !theirs.has(name) && !younger.includes(name)), []);
  },
});
