package social

import "time"

// StoryHorizon is how long before it expires a completed post becomes a story.
const StoryHorizon = 24 * time.Hour

// FirstStory is the first story to expire of a followed user, as stored for one follower.
// It may become a story only later.
type FirstStory struct {
	FollowedUserID UserID    `dynamo:"followedUserId,keyonly"`
	FollowerUserID UserID    `dynamo:"followerUserId,keyonly"`
	PostID         PostID    `dynamo:"postId"`
	ExpiresAt      time.Time `dynamo:"expiresAt,keyonly"`
}

// MaxFirstStories is the maximum number of first stories stored in one transaction,
// together with their event.
const MaxFirstStories = 50

// FirstStoryChanged: the first story of a user changed for some followers. Its stored name
// is firstStory.moved.
type FirstStoryChanged struct {
	UserID    UserID
	Followers []UserID
	// PostID is the new first story, or "".
	PostID PostID `json:",omitempty"`
}

func (FirstStoryChanged) EventName() string     { return "firstStory.moved" }
func (e FirstStoryChanged) OrderingKey() string { return string(e.UserID) }

// Notifications returns the notifications for the followers.
func (e FirstStoryChanged) Notifications() []Notification {
	news := make([]Notification, len(e.Followers))
	for i, follower := range e.Followers {
		news[i] = Notification{UserID: follower, Type: NotifyFollowedStoriesChanged, FollowedUserID: &e.UserID}
		if e.PostID != "" {
			news[i].PostID = &e.PostID
		}
	}
	return news
}

// IsStory reports whether a post is one of its owner's stories, or will become one as time
// passes.
func (p *Post) IsStory() bool { return p.Status == PostCompleted && !p.ExpiresAt.IsZero() }

// storyBefore reports whether a story sorts before another.
func storyBefore(at time.Time, id PostID, other *Post) bool {
	if at.Equal(other.ExpiresAt) {
		return id < other.PostID
	}
	return at.Before(other.ExpiresAt)
}

// FirstOf returns the first story of owner to expire among posts, or nil.
func FirstOf(owner UserID, posts []*Post) *Post {
	var first *Post
	for _, p := range posts {
		if p.PostedByUserID == owner && p.IsStory() && (first == nil || storyBefore(p.ExpiresAt, p.PostID, first)) {
			first = p
		}
	}
	return first
}

// StoryChanged: a story started, ended, or expires at another time. Its stored name is
// story.moved.
type StoryChanged struct {
	PostID PostID
	UserID UserID
	// Before is when the story was due to expire; zero if it was not a story.
	Before time.Time
}

func (StoryChanged) EventName() string     { return "story.moved" }
func (e StoryChanged) OrderingKey() string { return string(e.UserID) }

// Matters reports whether the event may change the first story that followers see. first is
// the user's first story now, or nil.
func (e StoryChanged) Matters(first *Post) bool {
	return first == nil || first.PostID == e.PostID || !e.Before.IsZero() && storyBefore(e.Before, e.PostID, first)
}

// StoryChanged returns the event for a step that makes the post a story, ends it, or changes
// when it expires. changed is false for other steps.
func (s PostStep) StoryChanged() (e StoryChanged, changed bool) {
	e = StoryChanged{PostID: s.After.PostID, UserID: s.After.PostedByUserID}
	if s.Before != nil && s.Before.IsStory() {
		e.Before = s.Before.ExpiresAt
	}
	var after time.Time
	if s.After.IsStory() {
		after = s.After.ExpiresAt
	}
	return e, !e.Before.Equal(after)
}
