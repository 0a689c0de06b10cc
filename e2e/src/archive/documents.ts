import { graphql } from "./generated/gql.ts";

export const signIn = graphql(`
  mutation SignIn {
    signIn {
      id
      name
      level
    }
  }
`);

export const setLevel = graphql(`
  mutation SetLevel($id: ID!, $level: AuthLevel!) {
    setUserLevel(id: $id, level: $level) {
      level
    }
  }
`);

export const createCategory = graphql(`
  mutation CreateCategory($name: String!) {
    createCategory(name: $name) {
      id
      collectionCount
    }
  }
`);

export const createCollection = graphql(`
  mutation CreateCollection($input: CollectionInput!) {
    createCollection(input: $input) {
      id
      privateImages
      privateDetail
      privateSearch
      categories {
        name
        collectionCount
      }
    }
  }
`);

export const loadPlaces = graphql(`
  mutation LoadPlaces($places: [PlaceInput!]!, $words: [PlaceWordInput!]!, $settings: PlaceSettingsInput!) {
    loadPlaces(rows: $places)
    loadPlaceWords(rows: $words)
    updatePlaceSettings(input: $settings) {
      lastUpdateTime
    }
  }
`);

export const suggest = graphql(`
  query Suggest($prefix: String!) {
    places(prefix: $prefix) {
      fullName
      count
      locatedIn {
        name
      }
    }
  }
`);

export const requestUpload = graphql(`
  mutation RequestUpload($contentType: String!) {
    requestUpload(contentType: $contentType) {
      url
      key
      expiresAt
    }
  }
`);

export const createPost = graphql(`
  mutation CreatePost($input: CreatePostInput!) {
    createPost(input: $input) {
      id
      postStatus
      recordsStatus
      imagesStatus
    }
  }
`);

export const post = graphql(`
  query Post($id: ID!) {
    post(id: $id) {
      name
      postStatus
      recordsStatus
      recordsError
      imagesStatus
      imagesError
      recordCount
      lastUpdateTime
      collection {
        name
        postCount
      }
      records(limit: 2) {
        items {
          dataMap
        }
        nextToken
      }
      households {
        items {
          number
          records {
            dataMap
          }
        }
      }
    }
  }
`);

export const changes = graphql(`
  subscription Changes($collectionId: ID) {
    postChanged(collectionId: $collectionId) {
      id
      postStatus
      recordsStatus
      imagesStatus
    }
  }
`);

export const publish = graphql(`
  mutation Publish($id: ID!, $at: DateTime!) {
    publishPost(id: $id, lastUpdateTime: $at) {
      postStatus
    }
  }
`);

export const unpublish = graphql(`
  mutation Unpublish($id: ID!, $at: DateTime!) {
    unpublishPost(id: $id, lastUpdateTime: $at) {
      postStatus
    }
  }
`);

export const search = graphql(`
  query Search($input: RecordSearchInput!, $nextToken: String) {
    searchRecords(input: $input, limit: 2, nextToken: $nextToken) {
      items {
        matched
        collection {
          name
        }
        record {
          id
          restricted
          citation
          imagePath
          data {
            header
            value
          }
        }
      }
      nextToken
    }
  }
`);

export const record = graphql(`
  query Record($id: ID!) {
    record(id: $id) {
      citation
      imagePath
      labels {
        header
        label
      }
      post {
        name
      }
      household {
        number
        records {
          dataMap
        }
      }
    }
  }
`);

export const image = graphql(`
  query Image($postId: ID!, $path: String!, $thumbnail: Boolean) {
    imageUrl(postId: $postId, path: $path, thumbnail: $thumbnail) {
      url
    }
  }
`);

export const content = graphql(`
  query Content($key: String!) {
    contentUrl(key: $key) {
      url
    }
  }
`);

export const deletePost = graphql(`
  mutation DeletePost($id: ID!) {
    deletePost(id: $id)
  }
`);

export const deleteAll = graphql(`
  mutation DeleteAll($collectionId: ID!, $categoryId: ID!) {
    deleteCollection(id: $collectionId)
    deleteCategory(id: $categoryId)
  }
`);
