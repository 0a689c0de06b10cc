/** The operations of the tests, as text: each SDK parses by a version of graphql of its own. */
export const createUser = `mutation CreateUser($username: String!) {
  createCognitoOnlyUser(username: $username) { userId username }
}`;

export const self = `query Self { self { userId username } }`;

export const addPost = `mutation AddPost($postId: ID!, $text: String) {
  addPost(postId: $postId, postType: TEXT_ONLY, text: $text) { postId text }
}`;

export const onNotification = `subscription OnNotification($userId: ID!) {
  onNotification(userId: $userId) { userId type postId }
}`;
