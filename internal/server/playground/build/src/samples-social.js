import { gql } from './graph.js';
import { drawing } from './pictures.jsx';
import { sessions } from './sessions.js';
import { systems } from './systems.js';

const userId = () => ({ userId: sessions.snapshot().activeId });
const others = () => sessions.snapshot().users.filter((user) => user.userId !== sessions.snapshot().activeId);

// newestPost is the id of the newest post that the active user's feed shows.
async function newestPost() {
  const { activeId } = sessions.snapshot();
  const answer = await gql(systems.active().path, '{ self { feed(limit: 1) { items { postId } } } }', {}, await sessions.token(activeId));
  return answer.data?.self?.feed?.items[0]?.postId;
}

// socialNews is the subscription to what a user is told.
export const socialNews = `subscription News($userId: ID!) {
  onNotification(userId: $userId) {
    type
    postId
    followedUserId
    matchUserId
    userChatsWithUnviewedMessagesCount
  }
}`;

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
    title: 'Find somebody',
    text: 'Users by the words of their names, or by how these begin.',
    query: `query Find($words: String!) {
  searchUsers(searchToken: $words, limit: 10) {
    items {
      userId
      username
      fullName
      followedStatus
    }
    nextToken
  }
}`,
    variables: () => ({ words: others()[0]?.username ?? 'ana' }),
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
    title: 'Post a picture',
    text: 'Draws one and sends it along; apps can upload to the imageUploadUrl instead.',
    query: `mutation Show($postId: ID!, $text: String, $imageData: String) {
  addPost(postId: $postId, postType: IMAGE, text: $text, imageInput: { imageData: $imageData }) {
    postId
    postStatus
    image {
      url
      url64p
      width
      height
      colors {
        r
        g
        b
      }
    }
  }
}`,
    variables: () => ({ postId: crypto.randomUUID(), text: 'The hills this hour.', imageData: drawing() }),
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
        image {
          url
          url64p
        }
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
    text: 'Says something about the newest post of the feed.',
    query: `mutation Comment($commentId: ID!, $postId: ID!, $text: String!) {
  addComment(commentId: $commentId, postId: $postId, text: $text) {
    commentId
    commentedAt
    text
  }
}`,
    variables: async () => ({ commentId: crypto.randomUUID(), postId: (await newestPost()) ?? 'there is no post in the feed: write one first', text: 'Well said.' }),
  },
  {
    title: 'Subscribe to news',
    text: 'What apps subscribe to. The list below the editor does it for all users of this tab.',
    query: socialNews,
    variables: userId,
  },
];
