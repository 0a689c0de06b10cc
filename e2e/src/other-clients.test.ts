import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client, fetchExchange, subscriptionExchange } from "@urql/core";
import { createClient as createSSE } from "graphql-sse";
import { createClient as createWS } from "graphql-ws";
import WebSocket from "ws";

import { type Account, signUp } from "./account.ts";
import { type App, Inbox, journey } from "./journey.ts";
import * as documents from "./journey-documents.ts";
import { Server } from "./server.ts";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  assert.equal(await server.stop(), 0);
});

/** An app on graphql-sse in distinct connections mode, for queries and mutations too. */
function openSSE(account: Account): App {
  const client = createSSE({
    url: `${server.url}/graphql`,
    headers: { authorization: `Bearer ${account.accessToken}` },
    retryAttempts: 20,
  });
  const run = (query: string, variables?: object) =>
    new Promise<any>((resolve, reject) => {
      client.subscribe({ query, variables: variables as Record<string, unknown> }, {
        next: ({ data, errors }) => (errors ? reject(new Error(JSON.stringify(errors))) : resolve(data)),
        error: reject,
        complete: () => {},
      });
    });
  return {
    query: run,
    mutate: run,
    subscribe: (query, variables, heard) => ({
      unsubscribe: client.subscribe({ query, variables: variables as Record<string, unknown> }, {
        next: ({ data, errors }: any) => (errors ? heard.error(errors[0]) : heard.next(data.onNotification)),
        error: heard.error,
        complete: () => {},
      }),
    }),
  };
}

/** An app on urql, with subscriptions over graphql-ws. */
function openURQL(account: Account): App {
  const socket = createWS({
    url: server.websocketUrl,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: account.accessToken },
    retryAttempts: 20,
    shouldRetry: () => true,
  });
  const client = new Client({
    url: `${server.url}/graphql`,
    fetchOptions: { headers: { authorization: account.accessToken } },
    preferGetMethod: false,
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: (request) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query: request.query!, variables: request.variables as Record<string, unknown> }, sink as any),
          }),
        }),
      }),
    ],
  });
  const data = ({ data, error }: any) => {
    if (error) throw error;
    return data;
  };
  return {
    query: async (document) => data(await client.query(document, {}).toPromise()),
    mutate: async (document, variables) => data(await client.mutation(document, variables).toPromise()),
    subscribe: (document, variables, heard) =>
      client.subscription(document, variables).subscribe(({ data, error }: any) => {
        if (error) heard.error(error);
        else if (data?.onNotification) heard.next(data.onNotification);
      }),
  };
}

test("graphql-sse", async () => {
  const ana = await signUp(server, "ana");
  await journey(server, ana, "ana", openSSE(ana), documents, true);
});

test("urql", async () => {
  const ben = await signUp(server, "ben");
  await journey(server, ben, "ben", openURQL(ben), documents, true);
});

test("a refused subscription is told over server-sent events", async () => {
  const cleo = await signUp(server, "cleo");
  const inbox = new Inbox();
  await new Promise<void>((resolve) => {
    openSSE(cleo).subscribe(documents.onNotification, { userId: "somebody else" }, {
      next: () => resolve(),
      error: (error) => {
        inbox.heard.error(error);
        resolve();
      },
    });
  });
  assert.match(JSON.stringify(inbox.errors), /Cannot subscribe to notifications intended for another user/);
});
