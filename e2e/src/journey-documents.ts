/** The operations of the tests, as text, because each SDK parses them with its own version of graphql. */
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
