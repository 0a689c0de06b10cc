import { gql } from './graph.js';
import { sessions } from './sessions.js';
import { systems } from './systems.js';

// ask is what the active user is answered, {} where that is refused.
async function ask(query, variables = {}) {
  const { activeId } = sessions.snapshot();
  const answer = await gql(systems.active().path, query, variables, await sessions.token(activeId));
  return answer.data ?? {};
}

const firstCategory = async () => (await ask('{ categories(limit: 1) { items { id } } }')).categories?.items[0]?.id ?? 'the id of a category: make one first';

// collectionWith is the id of the first collection that has posts, or of any.
async function collectionWith() {
  const all = (await ask('{ collections(limit: 100) { items { id postCount } } }')).collections?.items ?? [];
  return (all.find((c) => c.postCount > 0) ?? all[0])?.id ?? 'the id of a collection: make one first';
}

const newestFirst = (all) => (all ?? []).sort((a, b) => b.id - a.id);
const fits = ({ fields }) => fields.map((f) => f.header).join() === headers.join();

// newestCollection is the id of the newest collection that the file below is one of.
async function newestCollection() {
  const { collections } = await ask('{ collections(limit: 100) { items { id fields { header } } } }');
  return newestFirst(collections?.items).find(fits)?.id ?? 'the id of a collection: make one first';
}

// aPost is the newest post in one of some states.
async function aPost(...states) {
  const { posts } = await ask('{ posts(limit: 100) { items { id postStatus lastUpdateTime collection { fields { header } } } } }');
  return newestFirst(posts?.items).find((post) => states.includes(post.postStatus) && fits(post.collection));
}

// move is the newest post of some states, for a change that says when it was read.
async function move(...states) {
  const post = await aPost(...states);
  return { id: post?.id ?? `there is no post in the state ${states.join(' or ')}`, lastUpdateTime: post?.lastUpdateTime ?? new Date().toISOString() };
}

async function aRecord() {
  const input = { collectionId: await collectionWith() };
  const found = await ask('query ($input: RecordSearchInput!) { searchRecords(input: $input, limit: 1) { items { record { id } } } }', { input });
  return found.searchRecords?.items[0]?.record.id ?? 'the id of a record: search for some first';
}

const headers = ['Name', 'Household', 'Birth', 'Place'];

const csv = `Name,Household,Birth,Place
"Tolliver, Ann",7,abt 1848,"Autauga Co, Ala"
"Tolliver, Ben",7,3 Mar 1850,
"Okafor, Zoe",8,1851,
`;

const writes = 'Serve with --archive-level editor to try it as a new user.';

// variables is asked when a sample is opened: ids are those of the moment.
export const archiveSamples = [
  {
    title: 'Look around',
    text: 'Categories, the collections in them and their posts.',
    query: `query LookAround {
  me {
    name
    level
  }
  categories {
    items {
      id
      name
      collectionCount
      collections {
        items {
          id
          name
          type
          location
          privacyLevel
          postCount
          posts(limit: 3) {
            items {
              id
              name
              postStatus
              recordCount
            }
          }
        }
      }
    }
  }
}`,
  },
  {
    title: 'Search records',
    text: 'All words must occur, whatever their case and marks. Readers find what is published.',
    query: `query Search($input: RecordSearchInput!) {
  searchRecords(input: $input, limit: 10) {
    items {
      matched
      collection {
        name
      }
      record {
        id
        citation
        restricted
        data {
          header
          value
        }
      }
    }
    nextToken
  }
}`,
    variables: async () => ({ input: { collectionId: await collectionWith(), text: '18' } }),
  },
  {
    title: 'A record and its household',
    text: 'With what its headers mean, how it is cited, and those it lived with.',
    query: `query ARecord($id: ID!) {
  record(id: $id) {
    citation
    imagePath
    dataMap
    labels {
      header
      label
    }
    post {
      name
      postStatus
    }
    household {
      number
      records {
        id
        dataMap
      }
    }
  }
}`,
    variables: async () => ({ id: await aRecord() }),
  },
  {
    title: 'Suggest places',
    text: 'What completes the name of a place while it is typed. Nobody has to sign in for it.',
    query: `query Suggest($prefix: String!) {
  places(prefix: $prefix, count: 5) {
    id
    fullName
    types
    level
    count
    locatedIn {
      fullName
    }
  }
}`,
    variables: () => ({ prefix: 'al' }),
  },
  {
    title: 'Standardise a place',
    text: 'What a name in a source stands for, as imports find out for fields that end in Place.',
    query: `query Standardise($text: String!) {
  standardizePlace(text: $text) {
    fullName
    exact
    level
    place {
      id
      types
    }
  }
}`,
    variables: () => ({ text: 'Autauga Co, Ala' }),
  },
  {
    title: 'Make a category',
    text: `EDITOR. Its name is unlike all others. ${writes}`,
    query: `mutation MakeCategory($name: String!) {
  createCategory(name: $name) {
    id
    name
    collectionCount
  }
}`,
    variables: () => ({ name: `Censuses, ${new Date().toLocaleTimeString('en-GB')}` }),
  },
  {
    title: 'Make a collection',
    text: `EDITOR. It says what fields records have, and what they mean. ${writes}`,
    query: `mutation MakeCollection($input: CollectionInput!) {
  createCollection(input: $input) {
    id
    name
    categories {
      name
      collectionCount
    }
    lastUpdateTime
  }
}`,
    variables: async () => ({
      input: {
        name: 'Census of 1860',
        categoryIds: [await firstCategory()],
        location: 'Vault 3',
        fields: headers.map((header) => ({ header })),
        mappings: [
          { header: 'Name', dbField: 'fullName' },
          { header: 'Birth', dbField: 'birthDate' },
          { header: 'Place', dbField: 'birthPlace' },
        ],
        householdNumberHeader: 'Household',
        citationTemplate: 'Census of 1860, {{ Name }}',
      },
    }),
  },
  {
    title: 'Make a post',
    text: 'CONTRIBUTOR. A draft in a collection, which records are imported into.',
    query: `mutation MakePost($input: CreatePostInput!) {
  createPost(input: $input) {
    id
    postStatus
    recordsStatus
    collection {
      name
      postCount
    }
  }
}`,
    variables: async () => ({ input: { name: 'Autauga, sheet 1', collectionId: await newestCollection() } }),
  },
  {
    title: 'Import records',
    text: 'CONTRIBUTOR. Replaces the records of the newest draft by those of a file; larger files are uploaded.',
    query: `mutation Import($postId: ID!, $csv: String!) {
  importRecords(postId: $postId, csv: $csv) {
    created
    households
    post {
      recordCount
      records(limit: 3) {
        items {
          dataMap
        }
      }
    }
  }
}`,
    variables: async () => ({ postId: (await move('DRAFT', 'ERROR')).id, csv }),
  },
  {
    title: 'Publish',
    text: 'EDITOR. Asks for the newest draft to be published; whoever read an older state of it is refused.',
    query: `mutation Publish($id: ID!, $lastUpdateTime: DateTime!) {
  publishPost(id: $id, lastUpdateTime: $lastUpdateTime) {
    id
    postStatus
    lastUpdateTime
  }
}`,
    variables: () => move('DRAFT', 'ERROR'),
  },
  {
    title: 'Take back',
    text: 'EDITOR. Asks for the newest published post to become a draft again.',
    query: `mutation TakeBack($id: ID!, $lastUpdateTime: DateTime!) {
  unpublishPost(id: $id, lastUpdateTime: $lastUpdateTime) {
    id
    postStatus
  }
}`,
    variables: () => move('PUBLISHED'),
  },
  {
    title: 'Upload a file',
    text: 'CONTRIBUTOR. Send the file to the url by PUT; its key then goes into createPost or updatePost as recordsKey.',
    query: `mutation Upload {
  requestUpload(contentType: "text/csv") {
    url
    key
    expiresAt
  }
}`,
  },
  {
    title: 'What happens to posts',
    text: 'A subscription: leave it running, and import or publish in another tab.',
    query: `subscription PostChanged {
  postChanged {
    id
    name
    postStatus
    recordsStatus
    imagesStatus
    recordCount
  }
}`,
  },
];
