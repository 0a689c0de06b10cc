import type { Server } from "./server.ts";

/** A user who has signed up, with their access token. */
export interface Account {
  userId: string;
  accessToken: string;
}

async function post<T>(server: Server, path: string, body: unknown, token = ""): Promise<T> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: token }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Signs in with an e-mail address or a username. */
export async function signIn(server: Server, credentials: object): Promise<Account> {
  const { accessToken } = await post<{ accessToken: string }>(server, "/auth/sign-in", credentials);
  const { sub } = JSON.parse(atob(accessToken.split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/"))) as { sub: string };
  return { userId: sub, accessToken };
}

/** Signs up and in with a new e-mail address. */
export async function signUp(server: Server, name: string): Promise<Account> {
  const credentials = { email: `${name}@example.com`, password: `password of ${name}` };
  await post(server, "/auth/sign-up", credentials);
  return signIn(server, credentials);
}

/** Sends an operation without a client library and expects success. */
export async function ask(server: Server, account: Account, query: string): Promise<void> {
  const { errors } = await post<{ errors?: unknown }>(server, "/graphql", { query }, account.accessToken);
  if (errors) throw new Error(`${query} is refused: ${JSON.stringify(errors)}`);
}
