const session = 'accessToken refreshToken expiresAt';

// How people sign in: their accounts are the system's own.
export const communitiesAccounts = {
  register: ({ username, email, password }) => ({
    query: `mutation ($input: RegisterInput!) { session: register(input: $input) { ${session} } }`,
    variables: { input: { username, name: username, email, password, location: { city: 'Trenton', state: 'New Jersey', country: 'USA' } } },
  }),
  login: ({ login, password }) => ({
    query: `mutation ($login: String!, $password: String!) { session: login(login: $login, password: $password) { ${session} } }`,
    variables: { login, password },
  }),
  refresh: (token) => ({
    query: `mutation ($token: String!) { session: refreshSession(refreshToken: $token) { ${session} } }`,
    variables: { token },
  }),
};

export const communitiesSamples = [
  {
    title: 'My chats',
    text: 'Group chats with what is unread, and who waits to be let in.',
    query: `query MyChats {
  me {
    username
    role
  }
  myGroupChats {
    items {
      id
      name
      private
      numMembers
      unreadCount
      community {
        name
      }
    }
  }
  notificationCounts {
    unread
    unseen
  }
}`,
  },
  {
    title: 'Communities of a place',
    text: 'By country, state and city, in any case of letters.',
    query: `query Near {
  communities(country: "USA", state: "New Jersey") {
    items {
      id
      name
      topic
      memberCount
      isMember
      groupChats {
        items {
          id
          name
          private
          isFull
        }
      }
    }
    nextToken
  }
}`,
  },
  {
    title: 'Found a community',
    text: 'Everybody in its city is told.',
    query: `mutation Found($name: String!) {
  createCommunity(
    input: {
      name: $name
      description: "We listen to each other."
      topic: ANXIETY
      location: { city: "Trenton", state: "New Jersey", country: "USA" }
    }
  ) {
    id
    memberCount
  }
}`,
    variables: () => ({ name: 'Calm Trenton' }),
  },
  {
    title: 'A request, live',
    text: 'Open this as the owner of a private chat, and ask to join in another tab: the request shows here, and again when it is accepted.',
    query: `subscription Requests($chatId: ID!) {
  chatRequestChanged(chatId: $chatId) {
    id
    status
    note
    user {
      username
    }
  }
}`,
    variables: () => ({ chatId: 'the id of a group chat' }),
  },
  {
    title: 'Ask to join',
    text: 'The request goes to the owner of the chat.',
    query: `mutation Ask($chatId: ID!) {
  requestToJoin(chatId: $chatId, note: "May I listen first?") {
    id
    status
  }
}`,
    variables: () => ({ chatId: 'the id of a group chat' }),
  },
  {
    title: 'Accept a request',
    text: 'Lets the requester in.',
    query: `mutation Accept($id: ID!) {
  acceptChatRequest(id: $id) {
    status
    chat {
      numMembers
    }
  }
}`,
    variables: () => ({ id: 'the id of a request' }),
  },
  {
    title: 'What happens in a chat',
    text: 'Messages, reactions, who comes and goes and who is typing.',
    query: `subscription Chat($chatId: ID!) {
  chatEvents(chatType: GROUP, chatId: $chatId) {
    type
    user {
      username
    }
    message {
      id
      content
    }
  }
}`,
    variables: () => ({ chatId: 'the id of a group chat' }),
  },
];
