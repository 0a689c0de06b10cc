package social

import "time"

// StoryHorizon is how long before its end a completed post becomes a story.
const StoryHorizon = 24 * time.Hour

// FirstStory is the story of a followed user that ends first, as it is kept for one
// follower. It may be a story later on only.
type FirstStory struct {
	FollowedUserID UserID
	FollowerUserID UserID
	PostID         PostID
	ExpiresAt      time.Time
}

// MaxFirstStories is how many first stories are stored at once, with what tells of them.
const MaxFirstStories = 50

// FirstStoryMoved: followers are shown another story of a user first, or none.
type FirstStoryMoved struct {
	UserID    UserID
	Followers []UserID
	// PostID is the story, "" for none.
	PostID PostID `json:",omitempty"`
}

func (FirstStoryMoved) EventName() string     { return "firstStory.moved" }
func (e FirstStoryMoved) OrderingKey() string { return string(e.UserID) }

// Notifications are what the followers are told.
func (e FirstStoryMoved) Notifications() []Notification {
	news := make([]Notification, len(e.Followers))
	for i, follower := range e.Followers {
		news[i] = Notification{UserID: follower, Type: NotifyFollowedStoriesChanged, FollowedUserID: &e.UserID}
		if e.PostID != "" {
			news[i].PostID = &e.PostID
		}
	}
	return news
}

// Storied reports whether a post is one of its owner's stories, or will be by the passage
// of time alone.
func (p *Post) Storied() bool { return p.Status == PostCompleted && !p.ExpiresAt.IsZero() }

// storyBefore reports whether a story comes before another.
func storyBefore(at time.Time, id PostID, other *Post) bool {
	if at.Equal(other.ExpiresAt) {
		return id < other.PostID
	}
	return at.Before(other.ExpiresAt)
}

// FirstOf returns the story of owner that ends first among some posts, nil when none is
// one.
func FirstOf(owner UserID, posts []*Post) *Post {
	var first *Post
	for _, p := range posts {
		if p.PostedByUserID == owner && p.Storied() && (first == nil || storyBefore(p.ExpiresAt, p.PostID, first)) {
			first = p
		}
	}
	return first
}

// StoryMoved: one of a user's stories began, ended, or ends at another time.
type StoryMoved struct {
	PostID PostID
	UserID UserID
	// Before is when the story was to end, zero if it was none.
	Before time.Time
}

func (StoryMoved) EventName() string     { return "story.moved" }
func (e StoryMoved) OrderingKey() string { return string(e.UserID) }

// Matters reports whether what followers are shown first may change by the event, where
// first is the user's first story now, nil for none: the story is first or was.
func (e StoryMoved) Matters(first *Post) bool {
	return first == nil || first.PostID == e.PostID || !e.Before.IsZero() && storyBefore(e.Before, e.PostID, first)
}

// Storied is the event of a step that makes the post a story, ends it as one, or changes
// when it ends.
func (s PostStep) Storied() (e StoryMoved, moved bool) {
	e = StoryMoved{PostID: s.After.PostID, UserID: s.After.PostedByUserID}
	if s.Before != nil && s.Before.Storied() {
		e.Before = s.Before.ExpiresAt
	}
	var after time.Time
	if s.After.Storied() {
		after = s.After.ExpiresAt
	}
	return e, !e.Before.Equal(after)
}
