import { graphql } from "./generated/index.ts";

export const createAccount = graphql(`
  mutation CreateAccount($input: CreateAccountInput!) {
    createAccount(input: $input) { token level user { id } }
  }
`);

export const findContacts = graphql(`
  query FindContacts($query: String!) { findContacts(query: $query) { user { id public } matchedTags } }
`);

export const startChat = graphql(`
  mutation StartChat($userId: ID!) { startChat(userId: $userId) { id kind } }
`);

export const publish = graphql(`
  mutation Publish($topicId: ID!, $content: JSON!, $clientId: String) {
    publish(topicId: $topicId, content: $content, clientId: $clientId) { seqId content }
  }
`);

export const note = graphql(`
  mutation Note($topicId: ID!, $seqId: Int!) { note(topicId: $topicId, kind: READ, seqId: $seqId) { readSeqId unread } }
`);

export const messages = graphql(`
  query Messages($topicId: ID!, $nextToken: String) {
    messages(topicId: $topicId, order: ASC, limit: 100, nextToken: $nextToken) { items { seqId content } nextToken }
  }
`);

export const user = graphql(`
  query User($id: ID!) { user(id: $id) { online lastSeen } }
`);

export const topicEvents = graphql(`
  subscription TopicEvents($topicId: ID!) { topicEvents(topicId: $topicId) { kind seqId message { content } } }
`);

export const myEvents = graphql(`
  subscription MyEvents { myEvents { kind topicId user { id } } }
`);
