import { sessions } from './sessions.js';

const userId = () => ({ userId: sessions.snapshot().activeId });
const others = () => sessions.snapshot().users.filter((user) => user.userId !== sessions.snapshot().activeId);

// variables is asked when a sample is opened: ids are those of the moment.
export const socialSamples = [
  {
    title: 'Who am I',
    text: 'The profile of the active user.',
    query: `query WhoAmI {
  self {
    userId
    username
    fullName
    bio
    privacyStatus
    followersCount
    followedsCount
    postCount
  }
}`,
  },
  {
    title: 'Introduce yourself',
    text: 'Changes what others see of the profile.',
    query: `mutation Introduce($fullName: String, $bio: String) {
  setUserDetails(fullName: $fullName, bio: $bio) {
    userId
    fullName
    bio
  }
}`,
    variables: () => ({ fullName: 'Ana of Athens', bio: 'Mostly in the shade of the columns.' }),
  },
  {
    title: 'Write a post',
    text: 'Clients choose the ids of what they add.',
    query: `mutation Write($postId: ID!, $text: String) {
  addPost(postId: $postId, postType: TEXT_ONLY, text: $text) {
    postId
    postedAt
    text
    postedBy {
      username
    }
  }
}`,
    variables: () => ({ postId: crypto.randomUUID(), text: 'Good morning from the stoa.' }),
  },
  {
    title: 'Read the feed',
    text: 'Posts of oneself and of those one follows, the newest first.',
    query: `query Feed($limit: Int) {
  self {
    feed(limit: $limit) {
      items {
        postId
        postedAt
        text
        likeStatus
        onymousLikeCount
        commentsCount
        postedBy {
          userId
          username
        }
      }
      nextToken
    }
  }
}`,
    variables: () => ({ limit: 20 }),
  },
  {
    title: 'Follow somebody',
    text: 'The other user of this tab, if there is one.',
    query: `mutation Follow($userId: ID!) {
  followUser(userId: $userId) {
    userId
    username
    followedStatus
    followersCount
  }
}`,
    variables: () => ({ userId: others()[0]?.userId ?? 'the id of another user' }),
  },
  {
    title: 'Comment',
    text: 'Says something about a post.',
    query: `mutation Comment($commentId: ID!, $postId: ID!, $text: String!) {
  addComment(commentId: $commentId, postId: $postId, text: $text) {
    commentId
    commentedAt
    text
  }
}`,
    variables: () => ({ commentId: crypto.randomUUID(), postId: 'the id of a post', text: 'Well said.' }),
  },
  {
    title: 'Wait for news',
    text: 'A subscription: leave it running, and let somebody you follow write a post.',
    query: `subscription News($userId: ID!) {
  onNotification(userId: $userId) {
    type
    userId
    postId
    followedUserId
  }
}`,
    variables: userId,
  },
];

