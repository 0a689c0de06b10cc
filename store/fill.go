package store

import (
	"context"

	"stoa/internal/kit/keyspec"
	"stoa/social"
)

// Fill bulk-loads generated data. It writes items unchecked, updates no counters and emits
// no events. The items must be consistent with each other, counters included, and their ids
// and names must be unused.
type Fill struct {
	db   *keyspec.DB
	bulk *keyspec.Bulk
	rows int
}

// NewFill returns an empty Fill.
func (s *Store) NewFill() *Fill { return &Fill{db: s.DB, bulk: s.DB.NewBulk()} }

// Len returns the number of rows waiting for Run.
func (f *Fill) Len() int { return f.rows }

// Run writes the rows and empties the Fill.
func (f *Fill) Run(ctx context.Context) error {
	bulk := f.bulk
	f.bulk, f.rows = f.db.NewBulk(), 0
	return bulk.Run(ctx)
}

// User adds a profile, its name and its e-mail address. commentCount is passed separately
// because it is not part of social.User.
func (f *Fill) User(u social.User, commentCount int) {
	profile := profileOf(&u)
	profile.CommentCount = commentCount
	put(f, profiles, profile)
	put(f, usernames, usernameItem{social.FoldUsername(u.Username), social.UsernameHolder{UserID: u.UserID, Username: u.Username}})
	f.rows += peopleWords.Fill(f.bulk, *personDocument(&u))
	put(f, userEmails, userEmailItem{Email: u.Email, UserID: u.UserID})
}

// Follow adds a follow.
func (f *Fill) Follow(of social.Follow) {
	put(f, follows, of)
}

// Post adds a completed post and its entries in the given feeds.
func (f *Fill) Post(p social.Post, feeds []social.UserID) {
	put(f, posts, *storedPost(&p))
	if words := keywordsOf(&p); words != nil {
		f.rows += postWords.Fill(f.bulk, *words)
	}
	for _, id := range feeds {
		put(f, feedRows, social.FeedItem{PostID: p.PostID, FeedUserID: id, PostedAt: p.PostedAt, PostedByUserID: p.PostedByUserID})
	}
}

// Image adds the image record of a post that is also added.
func (f *Fill) Image(p social.Post, image social.PostImage) {
	put(f, images, imageItem{p.PostID, image})
	put(f, imageChecksums, checksumItemOf(&p))
}

// Album adds an album. Its posts, with their ranks, are added separately.
func (f *Fill) Album(a *social.Album) { put(f, albums, *a) }

// FirstStory adds the story of a followed user that expires first, for one follower.
func (f *Fill) FirstStory(s social.FirstStory) { put(f, firstStories, s) }

// Like adds a like.
func (f *Fill) Like(l social.Like) { put(f, likes, l) }

// Comment adds a comment.
func (f *Fill) Comment(c social.Comment) { put(f, comments, storedComment(&c)) }

// PostView adds a user's views of a post.
func (f *Fill) PostView(v social.PostView) { put(f, postViews, v) }

// PostTrend adds the trend of a post, UserTrend that of a user.
func (f *Fill) PostTrend(id social.PostID, t social.Trend) {
	put(f, postTrending, postTrendingItem{id, t})
}
func (f *Fill) UserTrend(id social.UserID, t social.Trend) {
	put(f, userTrending, userTrendingItem{id, t})
}

// Chat adds a new chat with its members and messages.
func (f *Fill) Chat(step *social.ChatStep) {
	put(f, chats, *step.After)
	if step.After.Type == social.ChatDirect {
		pair := step.After.Pair
		put(f, directChats, directChatItem{UserID1: pair.First, UserID2: pair.Second, ChatID: step.After.ChatID})
	}
	for _, move := range step.Moves {
		put(f, chatMembers, *move.After)
	}
	for _, m := range step.Added {
		put(f, chatMessages, storedMessage(m))
	}
}

// ChatView adds a user's only view of a chat.
func (f *Fill) ChatView(v social.ChatView) { put(f, chatViews, chatViewItem{v, v.FirstViewedAt, 1}) }

// Card adds a card.
func (f *Fill) Card(c social.Card) { put(f, cards, c) }

func put[T any](f *Fill, row *keyspec.Entity[T], item T) {
	row.PutIn(f.bulk, item)
	f.rows++
}
