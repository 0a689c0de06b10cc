import { print } from "graphql";
import { isFailure, Stoa, type TokenStorage } from "stoa-client";
import { cacheExchange, Client, CombinedError, fetchExchange } from "urql";

/** Runs an action on the place of the session. IndexedDB shows all tabs a change at once, so they can share the session. */
function kept<T>(mode: IDBTransactionMode, action: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    const opened = indexedDB.open("portico", 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore("session");
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const work = opened.result.transaction("session", mode);
      const asked = action(work.objectStore("session"));
      work.oncomplete = () => {
        opened.result.close();
        resolve(asked.result);
      };
      work.onabort = () => reject(work.error);
    };
  });
}

const storage: TokenStorage = {
  load: async () => (await kept<string | null | undefined>("readonly", (store) => store.get(0))) ?? null,
  save: (text) => kept("readwrite", (store) => store.put(text, 0)),
};

/** The server, which also serves this page. */
export const stoa = new Stoa({ url: location.origin, storage, print, onSignedOut: () => location.reload() });

/** Sends requests of urql with the token of the session, and again with a new one if the server has refused it. */
async function authorized(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const send = (token?: string) => fetch(input, { ...init, headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) } });
  const token = await stoa.session.token();
  const answer = await send(token);
  return answer.status === 401 && token ? send(await stoa.session.renew(token)) : answer;
}

/** The cache. Whatever a mutation returns is read again in all lists that contain its kind. */
export const client = new Client({
  url: `${location.origin}/graphql`,
  preferGetMethod: false,
  exchanges: [cacheExchange, fetchExchange],
  fetch: authorized,
});

/** What to tell a user about an error. */
export function explain(error: unknown): string {
  if (error instanceof CombinedError) {
    if (error.networkError) return offline;
    return error.graphQLErrors[0]?.message ?? "Something went wrong";
  }
  if (isFailure(error)) return error.code === "NETWORK" ? offline : error.message;
  return error instanceof Error ? error.message : String(error);
}

const offline = "No connection. Nothing is lost: try again once you are online.";
