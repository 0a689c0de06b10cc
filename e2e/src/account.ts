import type { Server } from "./server.ts";

/** Someone who has signed up: who they are and the token that says so. */
export interface Account {
  userId: string;
  accessToken: string;
}

async function post<T>(server: Server, path: string, body: unknown): Promise<T> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Signs up and in with an e-mail address of one's own. */
export async function signUp(server: Server, name: string): Promise<Account> {
  const credentials = { email: `${name}@example.com`, password: `password of ${name}` };
  const { userId } = await post<{ userId: string }>(server, "/auth/sign-up", credentials);
  const { accessToken } = await post<{ accessToken: string }>(server, "/auth/sign-in", credentials);
  return { userId, accessToken };
}
