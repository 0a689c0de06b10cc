import "./surroundings.ts";

import { createRequire } from "node:module";

import gql from "graphql-tag";

import type { Account } from "../../src/account.ts";
import type { Server } from "../../src/server.ts";
import type { App } from "../../src/journey.ts";

const require = createRequire(import.meta.url);
const { AUTH_TYPE, AWSAppSyncClient } = require("aws-appsync");

/** An app on aws-appsync 3, with the installed version of its subscription link. */
export function openAppSync(server: Server, account: Account): App {
  const client = new AWSAppSyncClient({
    url: `${server.url}/graphql`,
    region: "us-east-1",
    auth: { type: AUTH_TYPE.AMAZON_COGNITO_USER_POOLS, jwtToken: async () => account.accessToken },
    disableOffline: true,
  });
  return {
    query: async (document) => (await client.query({ query: gql(document), fetchPolicy: "network-only" })).data,
    mutate: async (document, variables) => (await client.mutate({ mutation: gql(document), variables })).data,
    subscribe: (document, variables, heard) =>
      client.subscribe({ query: gql(document), variables }).subscribe({
        next: ({ data }: any) => heard.next(data.onNotification),
        error: heard.error,
      }),
  };
}
