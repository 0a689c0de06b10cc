const session = 'accessToken: token refreshToken: token expiresAt';

// What somebody signs in by: logins are longer than the names of samples.
const loginOf = (name) => `${name.split('@')[0].toLowerCase().replace(/[^a-z0-9]/g, '')}.login`;

// How people sign in: their accounts are the system's own, and tokens are good for two weeks.
export const messagingAccounts = {
  register: ({ username, password }) => ({
    query: `mutation ($input: CreateAccountInput!) { session: createAccount(input: $input) { ${session} } }`,
    variables: { input: { login: loginOf(username), password, public: { fn: username }, tags: [`name${loginOf(username)}`] } },
  }),
  login: ({ login, password }) => ({
    query: `mutation ($login: String!, $password: String!) { session: login(login: $login, password: $password) { ${session} } }`,
    variables: { login: loginOf(login), password },
  }),
  refresh: () => ({ query: `mutation { session: refreshToken { ${session} } }`, variables: {} }),
};

export const messagingSamples = [
  {
    title: 'My topics',
    text: 'Groups and two-person topics with what is unread, last changed first.',
    query: `query MyTopics {
  unreadTotal
  myTopics {
    items {
      unread
      access {
        mode
      }
      topic {
        id
        kind
        public
        seqId
        online
        peer {
          id
          public
        }
      }
    }
  }
}`,
  },
  {
    title: 'Find somebody',
    text: 'By tags: terms between blanks must all be had, of those next to commas one.',
    query: `query Find($query: String!) {
  findContacts(query: $query) {
    matchedTags
    user {
      id
      public
      online
    }
  }
}`,
    variables: () => ({ query: 'nameana.login, nameben.login' }),
  },
  {
    title: 'Start a chat',
    text: 'The topic of two people is the same, whoever asks.',
    query: `mutation StartChat($userId: ID!) {
  startChat(userId: $userId) {
    id
    mySubscription {
      access {
        want
        given
        mode
      }
    }
  }
}`,
    variables: () => ({ userId: 'usr' }),
  },
  {
    title: 'Make a group',
    text: 'Whoever makes it owns it. New subscribers get what defaultAccess says.',
    query: `mutation MakeGroup {
  createGroup(input: { public: { fn: "Early birds" }, defaultAccess: { auth: "JRWPS" } }) {
    id
    subscriberCount
    owner {
      id
    }
  }
}`,
  },
  {
    title: 'Publish',
    text: 'Messages of a topic are numbered without holes.',
    query: `mutation Publish($topicId: ID!) {
  publish(topicId: $topicId, content: { txt: "Good morning" }, head: { mime: "text/x-drafty" }) {
    seqId
    createdAt
    expiresAt
    receivedBy
    readBy
  }
}`,
    variables: () => ({ topicId: 'grp' }),
  },
  {
    title: 'What happens',
    text: 'New messages, topics and access, and who comes and goes. You are online meanwhile.',
    query: `subscription MyEvents {
  myEvents {
    kind
    topicId
    seqId
    user {
      id
      public
    }
    message {
      content
    }
  }
}`,
  },
];
