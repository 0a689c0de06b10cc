import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { OperationTypeNode } from "graphql";
import { createClient } from "graphql-ws";
import WebSocket from "ws";

import type { Account } from "./account.ts";
import type { Server } from "./server.ts";

/** One user's app: Apollo Client over HTTP, with subscriptions over graphql-ws. */
export function open(server: Server, account: Account): { client: ApolloClient; close: () => void } {
  const socket = createClient({
    url: server.websocketUrl,
    webSocketImpl: WebSocket,
    lazy: true,
    connectionParams: { authorization: account.accessToken },
  });
  const http = new HttpLink({
    uri: `${server.url}/graphql`,
    headers: { authorization: `Bearer ${account.accessToken}` },
  });
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.split(
      (operation) => operation.operationType === OperationTypeNode.SUBSCRIPTION,
      new GraphQLWsLink(socket),
      http,
    ),
  });
  return {
    client,
    close: () => {
      client.stop();
      void socket.dispose();
    },
  };
}
