import { graphql } from "./generated/gql.ts";

export const register = graphql(`
  mutation Register($input: RegisterInput!) {
    register(input: $input) {
      accessToken
      refreshToken
      user {
        id
        role
      }
    }
  }
`);

export const createCommunity = graphql(`
  mutation CreateCommunity($input: CreateCommunityInput!) {
    createCommunity(input: $input) {
      id
      memberCount
    }
  }
`);

export const joinCommunity = graphql(`
  mutation JoinCommunity($id: ID!) {
    joinCommunity(id: $id) {
      memberCount
    }
  }
`);

export const createGroupChat = graphql(`
  mutation CreateGroupChat($communityId: ID!, $input: CreateGroupChatInput!) {
    createGroupChat(communityId: $communityId, input: $input) {
      id
      numMembers
    }
  }
`);

export const requestToJoin = graphql(`
  mutation RequestToJoin($chatId: ID!, $note: String) {
    requestToJoin(chatId: $chatId, note: $note) {
      id
      status
    }
  }
`);

export const acceptChatRequest = graphql(`
  mutation AcceptChatRequest($id: ID!) {
    acceptChatRequest(id: $id) {
      status
      chat {
        numMembers
      }
    }
  }
`);

export const sendMessage = graphql(`
  mutation SendMessage($chatId: ID!, $content: String!, $replyToId: ID, $clientId: String) {
    sendMessage(chatType: GROUP, chatId: $chatId, content: $content, replyToId: $replyToId, clientId: $clientId) {
      id
      content
      clientId
    }
  }
`);

export const react = graphql(`
  mutation React($chatId: ID!, $id: ID!, $type: ReactionType!) {
    reactToMessage(chatType: GROUP, chatId: $chatId, id: $id, type: $type) {
      myReaction
    }
  }
`);

export const markRead = graphql(`
  mutation MarkRead($chatId: ID!, $ids: [ID!]!) {
    markMessagesRead(chatType: GROUP, chatId: $chatId, ids: $ids)
  }
`);

export const messages = graphql(`
  query Messages($chatId: ID!) {
    messages(chatType: GROUP, chatId: $chatId, order: ASC) {
      items {
        content
        read
        author {
          username
        }
        replyTo {
          content
        }
        reactionCounts {
          type
          count
        }
      }
    }
  }
`);

export const myChats = graphql(`
  query MyChats {
    myGroupChats {
      items {
        name
        unreadCount
        numMembers
      }
    }
    notifications {
      items {
        type
      }
    }
  }
`);

export const banUser = graphql(`
  mutation BanUser($userId: ID!) {
    banUser(userId: $userId) {
      banned
    }
  }
`);

export const me = graphql(`
  query Me {
    me {
      username
    }
  }
`);

export const chatEvents = graphql(`
  subscription ChatEvents($chatId: ID!) {
    chatEvents(chatType: GROUP, chatId: $chatId) {
      type
      user {
        username
      }
      message {
        content
      }
    }
  }
`);

export const requestsChanged = graphql(`
  subscription RequestsChanged($chatId: ID) {
    chatRequestChanged(chatId: $chatId) {
      id
      status
    }
  }
`);
