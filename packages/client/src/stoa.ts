import { type Document, type Print, textOf } from "./document.ts";
import { fromGraphQL, fromStatus, type GraphQLFailure } from "./errors.ts";
import { type Answer, type Send, sender } from "./http.ts";
import { type Handlers, Live } from "./live.ts";
import { type Page, pagesOf } from "./pages.ts";
import type { Progress } from "./put.ts";
import { type ForeignTokens, memory, Session, type TokenStorage } from "./session.ts";
import { type NewPost, upload, type Uploaded, uuid } from "./upload.ts";

/** How an app uses a server. */
export interface Options {
  /** Where the server is, such as https://api.example.com. */
  url: string;
  /** Where tokens are kept; in memory if omitted. */
  storage?: TokenStorage;
  /** With identity oidc: where access tokens come from. Nothing of `session` but `token` and `userId` is then used. */
  tokens?: ForeignTokens;
  /** Called if the session has ended without signOut: the user must sign in again. */
  onSignedOut?: () => void;
  /** Path of the API; /graphql if omitted. Other systems than the social one are at /pantry/graphql and so on. */
  path?: string;
  /** Prints documents that are not texts: `print` of the package graphql. */
  print?: Print;
  /**
   * Whether mutations of a signed-in user are sent again after a lost answer, with the same `Idempotency-Key`, so that they
   * are done once. On if omitted. Turn it off for a server that does not know the header: it does the mutation twice, or
   * refuses the second, and its CORS answers do not allow pages of another origin to send it.
   */
  idempotencyKeys?: boolean;
  /** Sends requests; the global fetch if omitted. */
  fetch?: typeof globalThis.fetch;
  /** Opens sockets; the global WebSocket if omitted, which Node 20 does not have. */
  webSocketImpl?: unknown;
}

/** A server, as one signed-in user of an app sees it. */
export class Stoa {
  readonly session: Session;
  private readonly live: Live;
  private readonly send: Send;
  private readonly endpoint: string;

  constructor(private readonly options: Options) {
    const url = options.url.replace(/\/$/, "");
    this.endpoint = url + (options.path ?? "/graphql");
    this.send = sender(options.fetch ?? ((input, init) => fetch(input, init)));
    this.session = new Session(url, this.send, options.storage ?? memory(), options.onSignedOut ?? (() => {}), options.tokens);
    this.live = new Live(this.endpoint, this.session, options.webSocketImpl);
  }

  /** Asks a query, again if no answer arrives. An answer with errors fails; the error has the rest as `details.data`. */
  query<Data = unknown, Variables extends object = object>(document: Document<Data, Variables>, variables?: Variables): Promise<Data> {
    return this.ask(document, variables, {}, true);
  }

  /** Does a mutation. NETWORK means that it may have been done: see Options.idempotencyKeys. */
  async mutate<Data = unknown, Variables extends object = object>(document: Document<Data, Variables>, variables?: Variables): Promise<Data> {
    // The server cannot tell callers without a token apart, so their keys have no effect.
    const keys = (this.options.idempotencyKeys ?? true) && (await this.session.token()) !== undefined;
    return this.ask(document, variables, keys ? { "idempotency-key": uuid() } : {}, keys);
  }

  /** Starts a subscription and returns a function that ends it. See Handlers for what happens after a lost connection. */
  subscribe<Data = unknown, Variables extends object = object>(
    document: Document<Data, Variables>, variables: Variables, handlers: Handlers<Data>,
  ): () => void {
    return this.live.subscribe(textOf(document, this.options.print), variables, handlers);
  }

  /** Adds a post with a picture or video and waits until it is COMPLETED; otherwise fails with the reason. */
  upload(post: NewPost, file: Blob, onProgress?: Progress, signal?: AbortSignal): Promise<Uploaded> {
    return upload(this, post, file, onProgress, signal);
  }

  /** The pages of a list. The document passes a variable nextToken on to the list, which `pick` finds in the answer. */
  pages<Data, Variables extends object, P extends Page<unknown>>(
    document: Document<Data, Variables>, variables: Omit<Variables, "nextToken">, pick: (data: Data) => P | null | undefined,
  ): AsyncGenerator<P> {
    return pagesOf(async (nextToken) => pick(await this.query(document, { ...variables, nextToken } as unknown as Variables)));
  }

  /** The items of a list, read page by page as they are asked for. */
  async *items<Data, Variables extends object, Item>(
    document: Document<Data, Variables>, variables: Omit<Variables, "nextToken">, pick: (data: Data) => Page<Item> | null | undefined,
  ): AsyncGenerator<Item> {
    for await (const page of this.pages(document, variables, pick)) yield* page.items;
  }

  /** Ends all subscriptions. */
  close(): void {
    this.live.close();
  }

  private async ask<Data>(document: Document<Data, any>, variables: object | undefined, extra: Record<string, string>, repeat: boolean): Promise<Data> {
    const body = JSON.stringify({ query: textOf(document, this.options.print), variables: variables ?? {} });
    const post = (token: string | undefined): Promise<Answer> => {
      const headers = { "content-type": "application/json", ...extra, ...(token && { authorization: `Bearer ${token}` }) };
      return this.send(this.endpoint, { method: "POST", headers, body }, repeat);
    };
    const token = await this.session.token();
    let answer = await post(token);
    if (answer.status === 401 && token) answer = await post(await this.session.renew(token));
    if (answer.status >= 400) throw fromStatus(answer.status, answer.body, answer.retryAfter);
    const { data, errors } = JSON.parse(answer.body) as { data: Data; errors?: GraphQLFailure[] };
    if (errors) throw fromGraphQL(errors, { status: answer.status, data });
    return data;
  }
}
