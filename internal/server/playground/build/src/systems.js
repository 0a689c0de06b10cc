// The systems that the server carries, and which of them this tab asks.
import { archiveSamples } from './samples-archive.js';
import { communitiesAccounts, communitiesSamples } from './samples-communities.js';
import { messagingAccounts, messagingSamples } from './samples-messaging.js';
import { pantrySamples } from './samples-pantry.js';
import { socialNews, socialSamples } from './samples-social.js';

const key = 'stoa.system';

// What the page knows of systems by name: samples, the mutation that gives a new identity
// a profile, how to sign in where accounts are its own, the subscription to what a user is
// told, and the mutation that follows another user. Any other system can be asked all the same.
const known = {
  social: {
    samples: socialSamples,
    news: socialNews,
    follow: 'mutation ($userId: ID!) { followUser(userId: $userId) { userId } }',
    profile: 'mutation ($name: String!) { createCognitoOnlyUser(username: $name) { userId } }',
  },
  pantry: {
    samples: pantrySamples,
    profile: 'mutation ($name: String) { createUser(input: { name: $name }) { id } }',
  },
  communities: {
    samples: communitiesSamples,
    accounts: communitiesAccounts,
  },
  messaging: {
    samples: messagingSamples,
    accounts: messagingAccounts,
  },
  archive: {
    samples: archiveSamples,
    profile: 'mutation { signIn { id } }',
  },
};

let all = [];
let active = null;

export const systems = {
  all: () => all,
  active: () => active,
  named: (name) => all.find((system) => system.name === name),

  async load() {
    const response = await fetch('/playground/systems.json');
    const list = await response.json();
    all = list.map((system) => ({ samples: [{ query: '{\n  __typename\n}', title: 'Hello', text: 'Asks next to nothing.' }], ...known[system.name], ...system }));
    active = systems.named(sessionStorage.getItem(key)) ?? all[0];
  },

  // GraphiQL keeps its editors for as long as the page, so that another system gets a new
  // one.
  activate(name) {
    sessionStorage.setItem(key, name);
    location.reload();
  },
};
