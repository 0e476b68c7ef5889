/**
 * One server: started when it is needed, shared by all who use it, kept warm, stopped when idle, started
 * again after a crash. What its tools are is told to whoever made it; how to reach it is `connect.ts`.
 */
import { type Client, SseError } from "@modelcontextprotocol/client";
import type { ServerEntry } from "../../discovery/entry/server_entry.ts";
import { MAX_TIMER_MS } from "../../shared/deadline.ts";
import { AppError } from "../../shared/errors.ts";
import { JsonText } from "../../shared/json/json_text.ts";
import type { Logger } from "../../shared/log.ts";
import { PausableClock } from "../../shared/pausable_clock.ts";
import { isConnectionLost, isSurelyNotSent, toCallError } from "../call/call_error.ts";
import { CallLimit, type CallReply, sendCall } from "../call/send_call.ts";
import { CallsInFlight, type Use } from "../questions/calls_in_flight.ts";
import { connect, type Connection } from "./connect.ts";
import { toListError } from "./connect_error.ts";
import type { CallOptions } from "../downstream.ts";
import { IdleTimer } from "./idle_timer.ts";
import type { InputContext } from "../questions/input_requests.ts";
import { type ListedTool, listTools } from "../catalog/list_tools.ts";
import type { Abilities } from "../../questions/asker.ts";
import type { Environment } from "../transport/server_environment.ts";
import type { ServerMemory } from "./server_memory.ts";
import { ToolListing } from "../catalog/tool_listing.ts";
import { waitForStart, type Way } from "./wait_for_start.ts";

/** What every client of a pool works with. */
export interface ClientSettings {
  /** Variables of this process; only a few are handed on to a server. */
  env: Environment;
  startTimeoutMs: number;
  /** How long a server that nobody uses is kept. */
  idleMs: number;
  log: Logger;
}

interface Live extends Connection {
  listing: ToolListing;
  /** Whether it was used for more than to learn its tools. */
  used: boolean;
}

/** Options of {@link DownstreamClient.request}. */
export interface RequestOptions extends CallOptions {
  /** What is asked for, as errors name it. */
  what: string;
  /** Arguments that are sent along. @default none */
  args?: JsonText;
}

const NOTHING = JsonText.of({});

/** A client that is connected while it is used. */
export class DownstreamClient implements AsyncDisposable {
  readonly #entry: ServerEntry;
  readonly #settings: ClientSettings;
  readonly #memory: ServerMemory;
  readonly #abilities: Abilities;
  readonly #uses = new CallsInFlight();
  readonly #closed = new AbortController();
  readonly #closing = new Set<Promise<void>>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #idle: IdleTimer;
  #live: Live | undefined;
  readonly #way: Way = {};
  #starting: Promise<Live> | undefined;
  #retired = false;

  /** `abilities` is what the server is told that can be asked of those who use it. */
  constructor(
    entry: ServerEntry,
    settings: ClientSettings,
    memory: ServerMemory,
    abilities: Abilities,
  ) {
    this.#entry = entry;
    this.#abilities = abilities;
    this.#settings = settings;
    this.#memory = memory;
    this.#idle = new IdleTimer(settings.idleMs, () => {
      if (this.#live !== undefined && this.#uses.size === 0) this.#drop(this.#live, "idle");
    });
  }

  /**
   * Calls a tool.
   *
   * @throws {AppError} if there was no answer.
   */
  callTool(tool: ListedTool, args: JsonText, options: CallOptions): Promise<CallReply> {
    return this.request(
      { ...options, what: tool.name, args },
      (connection, context) =>
        sendCall(connection, tool, args, { ...context, unread: options.unread }),
    );
  }

  /**
   * Has `send` ask the server for something; once more if it surely did not get the request.
   *
   * @throws {AppError} if there was no answer.
   */
  request<T>(
    options: RequestOptions,
    send: (connection: Connection, context: Omit<InputContext, "tool">) => Promise<T>,
  ): Promise<T> {
    const { what, args = NOTHING, signal, asker, clock = new PausableClock(0) } = options;
    return this.#use({ asker, isCall: true }, async () => {
      const deadline = clock.now() + options.timeoutMs;
      for (let isRetry = false;; isRetry = true) {
        const live = await this.#ready(signal, deadline - clock.now());
        live.used = true;
        const timeoutMs = this.#callLimitMs(deadline - clock.now());
        using limit = new CallLimit(signal, clock, timeoutMs);
        const context = { server: this.#entry.name, asker, signal: limit.signal };
        try {
          return await send(live, context);
        } catch (error) {
          if (!signal.aborted && isConnectionLost(error)) this.#drop(live, "the connection broke");
          if (!signal.aborted && !isRetry && isSurelyNotSent(error, live.transport)) continue;
          const failed = { tool: what, args, transport: live.transport, signal, timeoutMs };
          throw toCallError(this.#entry, { ...failed, error });
        }
      }
    });
  }

  /**
   * Has the server list its tools, if it did not since it was started. With `keep: false` a server that
   * was started for nothing else is stopped again.
   *
   * @throws {AppError} if it cannot be reached.
   */
  learnTools(options: CallOptions & { keep: boolean }): Promise<void> {
    const { signal, keep, asker } = options;
    return this.#use({ asker, isCall: false }, async () => {
      const deadline = performance.now() + options.timeoutMs;
      const live = await this.#ready(signal, options.timeoutMs);
      if (keep) live.used = true;
      try {
        const limits = { signal, remainingMs: deadline - performance.now(), way: this.#way };
        await waitForStart(live.listing.ready(), this.#entry, limits);
      } finally {
        if (!live.used && this.#uses.size === 1) this.#drop(live, "its tools are known");
      }
    });
  }

  /** Closes it as soon as nobody uses it; resolves when it is closed. */
  retire(): Promise<void> {
    this.#retired = true;
    if (this.#uses.size === 0) void this[Symbol.asyncDispose]();
    return this.#gone.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#idle.clear();
    this.#closed.abort();
    await this.#starting?.catch(() => {});
    if (this.#live !== undefined) this.#drop(this.#live, "closed");
    await Promise.all(this.#closing);
    this.#gone.resolve();
  }

  async #use<T>(use: Use, action: () => Promise<T>): Promise<T> {
    const leave = this.#uses.enter(use);
    try {
      return await action();
    } finally {
      leave();
      if (this.#uses.size === 0) this.#onIdle();
    }
  }

  #onIdle(): void {
    if (this.#retired) void this[Symbol.asyncDispose]();
    else if (this.#live !== undefined) this.#idle.touch();
  }

  /** The connection, made if there is none; one start serves all who wait for it. */
  async #ready(signal: AbortSignal, remainingMs: number): Promise<Live> {
    if (this.#closed.signal.aborted) {
      throw new AppError(`The client of "${this.#entry.name}" is closed`);
    }
    if (this.#live?.client.transport !== undefined) return this.#live;
    this.#starting ??= this.#start().finally(() => this.#starting = undefined);
    return await waitForStart(this.#starting, this.#entry, { signal, remainingMs, way: this.#way });
  }

  /** Time for one answer: what is left of the run's, and no more than the entry allows. */
  #callLimitMs(remainingMs: number): number {
    const { timeoutSeconds = Infinity } = this.#entry;
    return Math.min(Math.max(1, remainingMs), timeoutSeconds * 1000, MAX_TIMER_MS);
  }

  async #start(): Promise<Live> {
    const { log } = this.#settings;
    const startedAt = performance.now();
    const remembered = await this.#memory.link();
    const connection = await connect(this.#entry, {
      ...this.#settings,
      abilities: this.#abilities,
      ask: (asked) => this.#uses.ask(asked),
      ...(remembered && { remembered }),
      signal: this.#closed.signal,
      onToolsChanged: () => this.#live?.listing.refresh(),
      onTry: (transport) => this.#way.tried = transport,
    });
    const { client, link } = connection;
    const listing = new ToolListing(() => this.#list(client));
    const live: Live = { ...connection, listing, used: false };
    client.onclose = () => {
      if (this.#live === live) this.#drop(live, "it closed the connection");
    };
    // An event stream that broke is opened again by the SDK, but the server has forgotten the session.
    client.onerror = (error) => {
      if (error instanceof SseError) this.#drop(live, "its event stream broke");
    };
    this.#live = live;
    const ms = Math.round(performance.now() - startedAt);
    log.debug(`Connected "${this.#entry.name}" (${link.kind}, ${link.era}) in ${ms} ms`);
    void this.#memory.onConnected(link);
    return live;
  }

  async #list(client: Client): Promise<void> {
    const { startTimeoutMs, log } = this.#settings;
    const { signal } = this.#closed;
    try {
      const server = this.#entry.name;
      const options = { server, log, timeoutMs: startTimeoutMs, signal };
      await this.#memory.onTools(await listTools(client, options));
    } catch (cause) {
      const error = toListError(this.#entry, { error: cause, startTimeoutMs });
      if (!signal.aborted) log.warn(error.message);
      throw error;
    }
  }

  #drop(live: Live, reason: string): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#settings.log.debug(`Disconnected "${this.#entry.name}": ${reason}`);
    const closing = live.client.close().catch(() => {}).then(() => live.transport.close())
      .catch(() => {}).finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
