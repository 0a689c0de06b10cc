import { initGraphQLTada, type ResultOf } from "gql.tada";

import type { introspection } from "./schema.d.ts";

/** Operations, typed by the schema: `npm run check` fails if one asks for what the server does not have. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { AWSDateTime: string; AWSURL: string; AWSEmail: string };
}>();

/** A person as shown beside what they do. */
export const Face = graphql(`
  fragment Face on User {
    userId username fullName followedStatus
    photo { url64p url480p }
  }
`);
export type Face = ResultOf<typeof Face>;

export const PostView = graphql(`
  fragment PostView on Post {
    postId postedAt text flagStatus likeStatus onymousLikeCount anonymousLikeCount commentsCount commentsDisabled
    postedBy { ...Face }
    textTaggedUsers { tag user { userId } }
    image { url1080p url480p width height colors { r g b } }
  }
`, [Face]);
export type PostView = ResultOf<typeof PostView>;

export const Self = graphql(`
  query Self {
    self {
      ...Face bio privacyStatus chatsWithUnviewedMessagesCount cardCount
      requestCount: followersCount(followStatus: REQUESTED)
    }
  }
`, [Face]);
export type Me = ResultOf<typeof Self>["self"];

export const Follow = graphql(`mutation Follow($userId: ID!) { followUser(userId: $userId) { userId followedStatus } }`);
export const Unfollow = graphql(`mutation Unfollow($userId: ID!) { unfollowUser(userId: $userId) { userId followedStatus } }`);
export const Block = graphql(`mutation Block($userId: ID!) { blockUser(userId: $userId) { userId blockedStatus } }`);
