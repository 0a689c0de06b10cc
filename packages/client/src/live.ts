import { type Client, createClient } from "graphql-ws";

import { fromGraphQL, type GraphQLFailure, isFailure, StoaError } from "./errors.ts";
import type { Session } from "./session.ts";
import { backOff, insist } from "./wait.ts";

/** What an app does with a subscription. */
export interface Handlers<Data> {
  /** Called with each event. */
  next(data: Data): void;
  /**
   * Reads what the events are about. Called when the subscription has started, and again after a lost connection unless the
   * server still has all events that happened meanwhile, which then arrive. What happens after the call starts arrives as an
   * event, so nothing is missed. It is never called twice at once, and is repeated until there is an answer.
   */
  refetch?(): unknown;
  /** Called if the server ends the subscription, or an event or refetch fails. Lost connections are no errors. */
  error?(error: StoaError): void;
}

/** A running subscription. */
interface Running {
  handlers: Handlers<any>;
  /** Where the subscription goes on: the server's cursor of the last event, or "" if it has sent none. */
  place: { since: string };
  /** Whether events may have been missed since the last refetch began. */
  gap: boolean;
  fetching: boolean;
  ended: AbortController;
}

/** Silence after which a connection is checked, and then the time to answer. */
const quiet = 15_000;
const patience = 5_000;

/** The subscriptions of an app, on one socket that is opened when needed and reopened when lost. */
export class Live {
  private readonly client: Client;
  private readonly running = new Set<Running>();
  private socket: WebSocket | undefined;
  private token: string | undefined;
  private probes = 0;
  private overdue: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, private readonly session: Session, webSocketImpl: unknown) {
    this.client = createClient({
      url: url.replace(/^http/, "ws"),
      webSocketImpl,
      connectionParams: () => this.credentials(),
      retryAttempts: Infinity,
      retryWait: (attempt) => backOff(attempt),
      shouldRetry: (reason) => !(isFailure(reason) && reason.code === "UNAUTHENTICATED"),
      lazyCloseTimeout: 1000,
      keepAlive: quiet,
      connectionAckWaitTimeout: 2 * patience,
      on: {
        connected: (socket) => this.connected(socket as WebSocket),
        ping: (received) => received || this.expect(),
        pong: (received, payload) => received && this.answered(payload),
        closed: (event) => this.closed(event as CloseEvent),
      },
    });
  }

  /** Starts a subscription and returns a function that ends it. */
  subscribe<Data>(query: string, variables: object, handlers: Handlers<Data>): () => void {
    const running: Running = { handlers, place: { since: "" }, gap: true, fetching: false, ended: new AbortController() };
    this.running.add(running);
    let stop = () => {};
    const end = (error?: StoaError) => {
      if (running.ended.signal.aborted) return;
      running.ended.abort();
      this.running.delete(running);
      stop();
      if (error) handlers.error?.(error);
    };
    const start = (attempt: number) => {
      if (running.ended.signal.aborted) return;
      let again = attempt + 1;
      lapse(running);
      // The client sends the payload each time it connects, with the place of that time.
      stop = this.client.subscribe<Data>({ query, variables: variables as Record<string, unknown>, extensions: running.place }, {
        next: ({ data, errors, extensions }) => {
          again = 0;
          const gap = this.moved(running, extensions);
          if (errors) handlers.error?.(fromGraphQL(errors as readonly GraphQLFailure[], { data }));
          else if (!gap) handlers.next(data as Data);
        },
        error: (reason) => {
          if (passing.has(Object(reason).code)) void backOff(again, running.ended.signal).then(() => start(again));
          else end(failure(reason));
        },
        complete: () => end(new StoaError("CANCELLED", "the server has ended the subscription")),
      });
      this.probe();
    };
    start(0);
    return () => end();
  }

  /** Ends all subscriptions and closes the socket. */
  close(): void {
    for (const running of this.running) running.ended.abort();
    this.running.clear();
    void this.client.dispose();
  }

  private async credentials(): Promise<Record<string, string>> {
    this.token = await this.session.token();
    if (!this.token) throw new StoaError("UNAUTHENTICATED", "nobody is signed in");
    return { authorization: this.token };
  }

  private connected(socket: WebSocket): void {
    this.socket = socket;
    for (const running of this.running) lapse(running);
    this.probe();
  }

  /** Notes the place after an event, and reads again what the subscription is about if there is a gap. Returns whether there is one. */
  private moved(running: Running, extensions: unknown): boolean {
    const { cursor, gap } = Object(extensions) as { cursor?: unknown; gap?: unknown };
    const before = running.place.since;
    if (typeof cursor === "string") running.place.since = cursor;
    if (gap !== true) return false;
    if (before) {
      running.gap = true;
      void this.catchUp(running);
    } // otherwise the start is a gap by itself
    return true;
  }

  /** Replaces a token that the server has refused, or that expired on the socket. */
  private closed(event: CloseEvent): void {
    this.socket = undefined;
    clearTimeout(this.overdue);
    if ((event.code === 4401 || event.code === 4403) && this.token) void this.session.renew(this.token).catch(() => {});
  }

  /**
   * Sends a ping behind the subscriptions that have just been asked for. The server starts a subscription before it reads
   * the next message, so its answer tells that they have started, which the protocol does not.
   */
  private probe(): void {
    this.probes++; // the answer to an earlier one tells nothing about these subscriptions
    setTimeout(() => {
      if (this.socket?.readyState !== 1) return; // it will be sent once connected
      this.socket.send(JSON.stringify({ type: "ping", payload: { probe: this.probes } }));
      this.expect();
    });
  }

  /** Drops a connection on which no answer arrives: a device that changes networks is not told. */
  private expect(): void {
    clearTimeout(this.overdue);
    this.overdue = setTimeout(() => this.client.terminate(), patience);
  }

  private answered(payload: Record<string, unknown> | undefined): void {
    clearTimeout(this.overdue);
    if (payload?.probe === this.probes) for (const running of this.running) void this.catchUp(running);
  }

  private async catchUp(running: Running): Promise<void> {
    if (running.fetching) return;
    running.fetching = true;
    const { handlers, ended: { signal } } = running;
    while (running.gap && !signal.aborted) {
      running.gap = false;
      await insist(() => handlers.refetch?.(), Infinity, signal).catch((reason) => signal.aborted || handlers.error?.(failure(reason)));
    }
    running.fetching = false;
  }
}

/** Prepares for a subscription to be sent again: without a place, it may have missed events; with one, the server tells. */
function lapse(running: Running): void {
  if (!running.place.since) running.gap = true;
}

/** Codes of sockets closed for reasons that graphql-ws takes as final and that pass: an expired token, a fault. */
const passing = new Set<unknown>([4401, 4500]);

function failure(reason: unknown): StoaError {
  if (reason instanceof StoaError) return reason;
  if (Array.isArray(reason)) return fromGraphQL(reason as GraphQLFailure[]);
  const { message, reason: text, code } = Object(reason) as { message?: string; reason?: string; code?: number };
  return new StoaError("UNKNOWN", message || text || `the socket was closed with ${code}`, { cause: reason });
}
