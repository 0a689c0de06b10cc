import { readFile } from "node:fs/promises";
import { join } from "node:path";

import WebSocket from "ws";

import { Server } from "../../../e2e/src/server.ts";
import { type Options, Stoa, type TokenStorage } from "../src/index.ts";

export { Server };

/** The repository's root. */
export const root = join(import.meta.dirname, "../../..");

/** A picture that the server accepts. */
export async function picture(): Promise<Blob> {
  return new Blob([new Uint8Array(await readFile(join(root, "internal/media/picture/testdata/progressive.jpg")))], { type: "image/jpeg" });
}

/** An app that is not signed in. */
export function open(server: { url: string }, options: Partial<Options> = {}): Stoa {
  return new Stoa({ url: server.url, webSocketImpl: WebSocket, ...options });
}

/** An app whose user has just signed up. */
export async function joined(server: Server, username: string, options: Partial<Options> = {}): Promise<Stoa> {
  const app = open(server, options);
  const account = { email: `${username}@example.com`, password: `password of ${username}` };
  await app.session.signUp(account);
  await app.session.signIn(account);
  await app.mutate(`mutation($username: String!) { createCognitoOnlyUser(username: $username) { userId } }`, { username });
  return app;
}

/** A fetch that notes the paths it is asked for and the headers it sends. */
export class Watched {
  readonly paths: string[] = [];
  readonly headers = new Set<string>();
  /** Called before each request; what it returns is the answer. */
  instead: (path: string, init: RequestInit) => Response | Promise<Response> | undefined = () => undefined;

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const { pathname } = new URL(String(input));
    this.paths.push(pathname);
    for (const name of new Headers(init.headers).keys()) this.headers.add(name);
    return (await this.instead(pathname, init)) ?? fetch(input, init);
  };

  count(path: string): number {
    return this.paths.filter((asked) => asked === path).length;
  }
}

/** Storage whose access token the server refuses, although it does not look expired, from now on. */
export async function spoil(storage: TokenStorage): Promise<void> {
  const tokens = JSON.parse((await storage.load())!) as { accessToken: string };
  await storage.save(JSON.stringify({ ...tokens, accessToken: tokens.accessToken.slice(0, -4) + "AAAA" }));
}

/** Storage whose access token has expired. */
export async function expire(storage: TokenStorage): Promise<void> {
  await storage.save(JSON.stringify({ ...JSON.parse((await storage.load())!), expiresAt: 0 }));
}

/** Values that arrive over time. */
export class Queue<T> {
  private readonly arrived: T[] = [];
  private wake = () => {};

  readonly push = (value: T): void => {
    this.arrived.push(value);
    this.wake();
  };

  /** Waits for the next value. */
  async next(): Promise<T> {
    while (this.arrived.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.arrived.shift()!;
  }
}
