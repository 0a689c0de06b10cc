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
// for subscriptions, opened with the first one. Answered is told each answer.
export function fetcherFor(path, token, answered = () => {}) {
  const socket = createClient({
    url: location.origin.replace(/^http/, 'ws') + path,
    lazy: true,
    connectionParams: async () => ({ Authorization: await token() }),
  });
  return async ({ query, variables, operationName }, { documentAST } = {}) => {
    if (!isSubscription(documentAST, operationName)) {
      const answer = await gql(path, query, variables, await token(), operationName);
      // GraphiQL asks for the schema by the same way.
      if (operationName !== 'IntrospectionQuery') answered(answer);
      return answer;
    }
    return socket.iterate({ query, variables, operationName });
  };
}

function isSubscription(document, operationName) {
  const operations = document?.definitions.filter((d) => d.kind === 'OperationDefinition') ?? [];
  const chosen = operationName ? operations.find((d) => d.name?.value === operationName) : operations[0];
  return chosen?.operation === 'subscription';
}
