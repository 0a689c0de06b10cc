import "./surroundings.ts";

import { createRequire } from "node:module";

import type { Account } from "../../src/account.ts";
import type { App } from "../../src/journey.ts";

const require = createRequire(import.meta.url);
const { Amplify } = require("aws-amplify");
const { generateClient } = require("aws-amplify/api");
const { decodeJWT } = require("aws-amplify/auth");

/** An app on Amplify 6 whose user is signed in to a user pool. */
export function openAmplify(endpoint: string, account: Account): App {
  Amplify.configure(
    { API: { GraphQL: { endpoint, region: "us-east-1", defaultAuthMode: "userPool" } } },
    { Auth: { tokenProvider: { getTokens: async () => ({ accessToken: decodeJWT(account.accessToken) }) } } },
  );
  const client = generateClient();
  const run = async (query: string, variables?: object) => (await client.graphql({ query, variables })).data;
  return {
    query: run,
    mutate: run,
    subscribe: (query, variables, heard) =>
      client.graphql({ query, variables }).subscribe({
        next: ({ data }: any) => heard.next(data.onNotification),
        error: heard.error,
      }),
  };
}
