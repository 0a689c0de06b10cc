import { fromStatus, isFailure, StoaError } from "./errors.ts";
import type { Send } from "./http.ts";

/**
 * Where tokens are kept between starts of the app. Tabs may share it if all see a change at once, as in IndexedDB. In
 * localStorage they do not: a tab may read a refresh token that another has used, and the server then ends the session.
 */
export interface TokenStorage {
  load(): string | null | Promise<string | null>;
  /** Keeps a text, or forgets it if it is null. */
  save(text: string | null): void | Promise<void>;
}

/** One of the names of an account, and the password. */
export type Credentials = { username?: string; email?: string; phone?: string; userId?: string; password: string };

/** What a sign-in returns; the access token lasts `expiresIn` seconds. */
type Issued = { accessToken: string; refreshToken: string; expiresIn: number };

interface Tokens extends Issued {
  userId: string;
  /** When the access token expires, in milliseconds by this device's clock, which may be wrong. */
  expiresAt: number;
}

/**
 * Returns the access token of an issuer of your own, or undefined if nobody is signed in. After the server has refused a
 * token it is called with it, and should return another.
 */
export type ForeignTokens = (refused?: string) => Promise<string | undefined>;

/** Tokens are renewed this long before they expire, so that they last until the request arrives. */
const early = 30_000;

/** Keeps tokens in memory. */
export function memory(): TokenStorage {
  let kept: string | null = null;
  return { load: () => kept, save: (text) => void (kept = text) };
}

/** Who is signed in on this device. */
export class Session {
  private renewing: Promise<string> | undefined;

  constructor(
    private readonly url: string, private readonly send: Send, private readonly storage: TokenStorage,
    private readonly onSignedOut: () => void, private readonly foreign?: ForeignTokens,
  ) {}

  /** Creates an account. It must be confirmed with the code from the mail or message, except in dev identity. */
  signUp(account: { userId?: string; email?: string; phone?: string; password: string }): Promise<{ userId: string }> {
    return this.post("sign-up", account);
  }

  /** Confirms the e-mail address or phone number of an account. */
  async confirm(userId: string, code: string): Promise<void> {
    await this.post("confirm", { userId, code });
  }

  /** Sends the code again. */
  async resend(userId: string): Promise<void> {
    await this.post("resend", { userId });
  }

  /**
   * Signs in and returns the user's id. With the right password for a contact that is not confirmed yet it fails with
   * UNCONFIRMED and `details.userId`, for `confirm` and `resend`.
   */
  async signIn(credentials: Credentials): Promise<string> {
    return (await this.keep(await this.post<Issued>("sign-in", credentials))).userId;
  }

  /** Signs in as a new user without a name and returns the id. */
  async signInAnonymously(): Promise<string> {
    return (await this.keep(await this.post<Issued>("anonymous", {}))).userId;
  }

  /** Sends a code with which the password can be reset, if there is such an account. */
  async forgot(contact: { email: string } | { phone: string }): Promise<void> {
    await this.post("forgot", contact);
  }

  /** Sets a new password with the code that was sent to a contact, or with the user id in its link. All devices are signed out. */
  async reset(account: { email: string } | { phone: string } | { userId: string }, code: string, password: string): Promise<void> {
    await this.post("reset", { ...account, code, password });
  }

  /** Signs out on this device, also if the server cannot be reached. */
  async signOut(): Promise<void> {
    const tokens = await this.load();
    await this.storage.save(null);
    if (tokens) await this.post("sign-out", { refreshToken: tokens.refreshToken }).catch(() => {});
  }

  /** Id of the user who is signed in. */
  async userId(): Promise<string | undefined> {
    if (!this.foreign) return (await this.load())?.userId;
    const token = await this.token();
    return token && subject(token);
  }

  /** Returns a valid access token, or undefined if nobody is signed in. */
  async token(): Promise<string | undefined> {
    if (this.renewing) return this.renewing;
    if (this.foreign) return this.foreign();
    const tokens = await this.load();
    if (!tokens) return undefined;
    return Date.now() < tokens.expiresAt - early ? tokens.accessToken : this.renew(tokens.accessToken);
  }

  /** Replaces a token that the server has refused. All who ask at the same time share one refresh. */
  renew(refused: string): Promise<string> {
    this.renewing ??= this.alone(() => (this.foreign ? this.ask(this.foreign, refused) : this.refresh(refused))).finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Runs an action while no other tab does: a refresh token can be used only once. */
  private alone<T>(action: () => Promise<T>): Promise<T> {
    const locks = (globalThis.navigator as Navigator | undefined)?.locks;
    return locks ? (locks.request(`stoa ${this.url}`, action) as Promise<T>) : action();
  }

  private async ask(foreign: ForeignTokens, refused: string): Promise<string> {
    const token = await foreign(refused);
    if (token && token !== refused) return token;
    this.onSignedOut();
    throw new StoaError("UNAUTHENTICATED", "there is no other token than the one that was refused");
  }

  private async refresh(refused: string): Promise<string> {
    const before = await this.load();
    if (!before) throw new StoaError("UNAUTHENTICATED", "nobody is signed in");
    if (before.accessToken !== refused) return before.accessToken; // another tab or request was faster
    try {
      const issued = await this.post<Issued>("refresh", { refreshToken: before.refreshToken });
      const now = await this.load();
      if (now?.refreshToken === before.refreshToken) await this.keep(issued);
      return issued.accessToken;
    } catch (error) {
      if (isFailure(error) && error.code === "UNAUTHENTICATED") {
        await this.storage.save(null);
        this.onSignedOut();
      }
      throw error;
    }
  }

  private async load(): Promise<Tokens | undefined> {
    const text = await this.storage.load();
    return text ? (JSON.parse(text) as Tokens) : undefined;
  }

  private async keep({ accessToken, refreshToken, expiresIn }: Issued): Promise<Tokens> {
    const tokens = { accessToken, refreshToken, expiresIn, userId: subject(accessToken), expiresAt: Date.now() + expiresIn * 1000 };
    await this.storage.save(JSON.stringify(tokens));
    return tokens;
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await this.send(`${this.url}/auth/${path}`, init, false);
    if (answer.status >= 400) throw fromStatus(answer.status, answer.body, answer.retryAfter);
    return (answer.body ? JSON.parse(answer.body) : undefined) as T;
  }
}

/** The user whom a token is about. */
function subject(token: string): string {
  const payload = token.split(".")[1] ?? "";
  return (JSON.parse(atob(payload.replace(/-/g, "+").replace(/_/g, "/"))) as { sub: string }).sub;
}
