import { graphql } from "./generated/gql.ts";

export const CreateUser = graphql(`
  mutation CreateUser($username: String!, $fullName: String) {
    createCognitoOnlyUser(username: $username, fullName: $fullName) {
      userId
      username
      fullName
      email
      privacyStatus
    }
  }
`);

export const SetPrivacy = graphql(`
  mutation SetPrivacy($privacyStatus: PrivacyStatus!) {
    setUserDetails(privacyStatus: $privacyStatus) {
      userId
      privacyStatus
    }
  }
`);

export const Follow = graphql(`
  mutation Follow($userId: ID!) {
    followUser(userId: $userId) {
      userId
      followedStatus
      followersCount
    }
  }
`);

export const AcceptFollower = graphql(`
  mutation AcceptFollower($userId: ID!) {
    acceptFollowerUser(userId: $userId) {
      userId
      followerStatus
    }
  }
`);

export const AddTextPost = graphql(`
  mutation AddTextPost($postId: ID!, $text: String!) {
    addPost(postId: $postId, postType: TEXT_ONLY, text: $text) {
      postId
      postStatus
      text
      postedBy {
        userId
      }
      textTaggedUsers {
        tag
        user {
          userId
        }
      }
    }
  }
`);

export const Feed = graphql(`
  query Feed($limit: Int, $nextToken: String) {
    self {
      userId
      feed(limit: $limit, nextToken: $nextToken) {
        items {
          postId
          text
          likeStatus
          commentsCount
          postedBy {
            userId
            username
            followedStatus
          }
        }
        nextToken
      }
    }
  }
`);

export const LikePost = graphql(`
  mutation LikePost($postId: ID!) {
    onymouslyLikePost(postId: $postId) {
      postId
      likeStatus
    }
  }
`);

export const AddComment = graphql(`
  mutation AddComment($commentId: ID!, $postId: ID!, $text: String!) {
    addComment(commentId: $commentId, postId: $postId, text: $text) {
      commentId
      commentedAt
      viewedStatus
      commentedBy {
        userId
        username
      }
    }
  }
`);

export const PostWithComments = graphql(`
  query PostWithComments($postId: ID!) {
    post(postId: $postId) {
      postId
      onymousLikeCount
      onymouslyLikedBy {
        items {
          username
        }
      }
      comments {
        items {
          text
          commentedBy {
            username
          }
        }
      }
    }
  }
`);

export const Notifications = graphql(`
  subscription Notifications($userId: ID!) {
    onNotification(userId: $userId) {
      userId
      type
      postId
    }
  }
`);
