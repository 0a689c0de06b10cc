import { createClient } from 'graphql-ws';

// gql runs one query or mutation of the system that answers at a path.
export async function gql(path, query, variables, token, operationName) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...(token && { Authorization: token }) },
    body: JSON.stringify({ query, variables, operationName }),
  });
  return response.json();
}

// fetcherFor is GraphiQL's way to a graph as one user: HTTP, and a WebSocket of their own
// for subscriptions, opened with the first one.
export function fetcherFor(path, token) {
  const socket = createClient({
    url: location.origin.replace(/^http/, 'ws') + path,
    lazy: true,
    connectionParams: async () => ({ Authorization: await token() }),
  });
  return async ({ query, variables, operationName }, { documentAST } = {}) => {
    if (!isSubscription(documentAST, operationName)) return gql(path, query, variables, await token(), operationName);
    return socket.iterate({ query, variables, operationName });
  };
}

function isSubscription(document, operationName) {
  const operations = document?.definitions.filter((d) => d.kind === 'OperationDefinition') ?? [];
  const chosen = operationName ? operations.find((d) => d.name?.value === operationName) : operations[0];
  return chosen?.operation === 'subscription';
}
