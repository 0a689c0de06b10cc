// Package app assembles the areas of the social system with its store and its API, and
// connects the system to a host.
package app

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"stoa/graph"
	"stoa/internal/host"
	"stoa/internal/job"
	"stoa/internal/media/stock"
	"stoa/internal/outbox"
	"stoa/resolvers"
	"stoa/social"
	"stoa/social/album"
	"stoa/social/badword"
	"stoa/social/block"
	"stoa/social/card"
	"stoa/social/chat"
	"stoa/social/comment"
	"stoa/social/dating"
	"stoa/social/feed"
	"stoa/social/flag"
	"stoa/social/follow"
	"stoa/social/like"
	"stoa/social/media"
	"stoa/social/notification"
	"stoa/social/post"
	"stoa/social/screen"
	"stoa/social/story"
	"stoa/social/subscription"
	"stoa/social/trending"
	"stoa/social/user"
	"stoa/social/view"
	"stoa/store"
)

// Name is the name of the social system.
const Name = "social"

// Jobs that delete posts soon after they expire, posts that this missed, and albums that
// have been empty for a day.
const (
	DeleteExpiredPosts     = "social.delete-expired-posts"
	DeleteLongExpiredPosts = "social.delete-long-expired-posts"
	DeleteEmptyAlbums      = "social.delete-empty-albums"
)

// placeholderPath is the URL path of placeholder photos.
const placeholderPath = "/placeholder-photos"

// Jobs of the social system.
const (
	// PushCards pushes due cards to users' devices.
	PushCards           = "social.push-cards"
	ExpireSubscriptions = "social.expire-subscriptions"
	VerifyAppStoreSubs  = "social.verify-app-store-subs"
	// DeflateTrends halves trends and deletes negligible ones.
	DeflateTrends = "social.deflate-trends"
	// CheckBadWords has all texts checked again if the dictionary of bad words has changed.
	CheckBadWords   = "social.check-bad-words"
	UpdateAges      = "social.update-ages"
	ResumeUploads   = "social.resume-uploads"
	EndIdleDating   = "social.end-idle-dating"
	RemindOfMatches = "social.remind-of-matches"
)

// defaultArt is the URL path of the art of empty albums, which is public.
const defaultArt = "/default-album-art"

// Options configures the system. The zero value is for serving.
type Options struct {
	// ReservedUsernames are usernames that nobody can take.
	ReservedUsernames []string
	// FollowedByAll is the username or id of the user whom every new user follows, "" for
	// nobody.
	FollowedByAll string
	// BadWords returns the words that get content removed, which may change between calls.
	// A nil function or result stands for the built-in list.
	BadWords func() ([]string, error)
	// Kilometers is set if distances between users are in kilometers instead of miles.
	Kilometers bool
	// ImageVerification is the URL of a service that verifies images, or "" for none.
	// ImageVerificationKey is the API key for it.
	ImageVerification, ImageVerificationKey string
	// PushTo are the usernames that receive push notifications; nil means everybody.
	PushTo []string
	// Gather is how long a field of an operation waits for others, to batch their reads; 0
	// means batch.Wait.
	Gather time.Duration
	// Art creates the art of albums; nil means drawing it.
	Art album.Art
}

// System returns the social system.
func System(o Options) host.System {
	return host.System{
		Name: Name, Path: "/graphql", Tables: store.Tables, Join: o.join,
		Contract: graph.SDL, Schema: func() graphql.ExecutableSchema { return graph.Executable(nil, graph.DirectiveRoot{}) },
		Design: store.WriteSchema, RebuildSearch: rebuildSearch, Check: store.Broken,
	}
}

func (o Options) join(ctx context.Context, h *host.Host) (host.Face, error) {
	s := store.Open(h.DB)
	if err := adoptSearch(ctx, s, h.Log); err != nil {
		return host.Face{}, err
	}
	listeners := &notification.Service{Bus: h.Bus, Now: h.Now}
	all := social.FollowedByAll(o.FollowedByAll)
	users := &user.Service{
		Store: s.Users, Identity: h.Accounts, Providers: h.Providers, Reserved: o.ReservedUsernames, FollowedByAll: all, Moderators: h, Frame: h.Frame,
	}
	if h.Issuer != nil {
		users.Issuer = h.Issuer
	}
	likes := &like.Service{Store: s.Likes, Posts: s.Posts, People: users, Profiles: s.Users, Frame: h.Frame}
	feeds := &feed.Service{Store: s.Feeds, Posts: s.Posts, Follows: s.Follows}
	follows := &follow.Service{Store: s.Follows, Users: s.Users, Profiles: s.Users, Likes: likes, Frame: h.Frame}
	files := &media.Service{
		Store: h.Media.Files, Links: h.Media.Links, Cookies: h.Media.Cookies, Pictures: h.Media.Pictures, Films: h.Media.Films,
		DefaultArt: h.Config.Issuer.PublicURL + defaultArt, Log: h.Log, Placeholders: h.Config.Issuer.PublicURL + placeholderPath,
	}
	users.Posts, users.Photos, users.Devices = s.Posts, files, s.Devices
	if h.PlaceholderPhotos != nil {
		users.Placeholders = h.PlaceholderPhotos.Codes()
	}
	if o.ImageVerification != "" {
		files.Verifier = &media.VerificationService{Root: o.ImageVerification, Key: o.ImageVerificationKey, Client: http.DefaultClient}
	}
	posts := &post.Service{
		Store: s.Posts, Albums: s.Albums, People: users, Profiles: s.Users, Files: files, Moderators: h, FollowedByAll: all,
		Frame: h.Frame, Process: h.Holder, Logger: h.Log,
	}
	stories := &story.Service{Store: s.Stories, Posts: s.Posts, Follows: s.Follows, Frame: h.Frame}
	albums := &album.Service{Store: s.Albums, Posts: s.Posts, People: users, Profiles: s.Users, Art: cmp.Or[album.Art](o.Art, files), Frame: h.Frame, Logger: h.Log}
	flags := &flag.Service{Store: s.Flags, Profiles: s.Users}
	bad, err := badword.Open(o.BadWords, s.BadWords, h.Frame)
	if err != nil {
		return host.Face{}, fmt.Errorf("bad words: %w", err)
	}
	cards := &card.Service{
		Store: s.Cards, Users: s.Users, Posts: s.Posts, Comments: s.Comments, Frame: h.Frame, Bus: h.Bus,
		Catalogue: social.CardCatalogue{AppURL: h.Config.Issuer.AppURL, AppName: h.Config.Issuer.AppName},
	}
	comments := &comment.Service{Store: s.Comments, Posts: s.Posts, People: users, Profiles: s.Users, Flags: flags, Cards: cards, Moderators: h, BadWords: bad, Frame: h.Frame}

	blocks := &block.Service{Store: s.Blocks, Users: s.Users, Profiles: s.Users, Likes: likes, Moderators: h, Frame: h.Frame}
	subscriptions := &subscription.Service{Store: s.Subscriptions, Users: s.Users, AppStore: appStore{h.AppStore}, Frame: h.Frame}
	daters := &dating.Service{Store: s.Dating, Profiles: s.Users, Cards: cards, Frame: h.Frame, Earth: social.EarthInMiles}
	if o.Kilometers {
		daters.Earth = social.EarthInKilometers
	}
	chats := &chat.Service{Store: s.Chats, People: users, Users: s.Users, Flags: flags, BadWords: bad, Frame: h.Frame, Bus: h.Bus}

	screens := &screen.Service{Store: s.Screens, Profiles: s.Users, Frame: h.Frame}
	views := &view.Service{Store: s.Views, Profiles: s.Users, Trends: s.Trends, FollowedByAll: all, Frame: h.Frame}
	trends := &trending.Service{Store: s.Trends, Most: social.MaxTrends}

	users.Ties = follows
	// Cards of a removed user go first: other effects of the removal would update their
	// counts.
	outbox.FanOut(h.Outbox, "cards", cards.UserRemoved)
	outbox.FanOut(h.Outbox, "follows", follows.UserRemoved)
	outbox.FanOut(h.Outbox, "blocks", blocks.UserRemoved)
	outbox.FanOut(h.Outbox, "likes", likes.UserRemoved)
	outbox.FanOut(h.Outbox, "views", views.UserRemoved)
	outbox.FanOut(h.Outbox, "albums", albums.UserRemoved)
	outbox.On(h.Outbox, users.ContentForciblyRemoved)
	outbox.On(h.Outbox, users.UserBlocked)
	outbox.FanOut(h.Outbox, "feed", feeds.PostMoved)
	outbox.On(h.Outbox, listeners.PostMoved)
	outbox.On(h.Outbox, users.PostMoved)
	outbox.FanOut(h.Outbox, "photos", users.UserRemoved)
	outbox.FanOut(h.Outbox, "screenViews", screens.UserRemoved)
	outbox.On(h.Outbox, cards.UserPhotoSet)
	outbox.FanOut(h.Outbox, "files", posts.PostMoved)
	outbox.FanOut(h.Outbox, "posts", posts.UserRemoved)
	outbox.FanOut(h.Outbox, "likes", likes.PostMoved)
	outbox.FanOut(h.Outbox, "albums", posts.AlbumDeleted)
	outbox.On(h.Outbox, albums.AlbumDeleted)
	outbox.FanOut(h.Outbox, "art", albums.AlbumArranged)
	outbox.FanOut(h.Outbox, "stories", stories.StoryMoved)
	outbox.FanOut(h.Outbox, "stories", stories.FollowMoved)
	outbox.On(h.Outbox, stories.FirstStoryMoved)
	outbox.FanOut(h.Outbox, "comments", comments.PostMoved)
	outbox.FanOut(h.Outbox, "feed", feeds.FollowMoved)
	outbox.FanOut(h.Outbox, "likes", follows.FollowMoved)
	outbox.FanOut(h.Outbox, "follows", follows.UserOpened)
	outbox.FanOut(h.Outbox, "likes", blocks.UserBlocked)
	outbox.On(h.Outbox, cards.UserCreated)
	outbox.On(h.Outbox, cards.UserStatusMoved)
	outbox.On(h.Outbox, cards.FollowMoved)
	outbox.On(h.Outbox, cards.PostLiked)
	outbox.On(h.Outbox, cards.PostDisliked)
	outbox.On(h.Outbox, cards.PostAdded)
	outbox.On(h.Outbox, cards.PostReposted)
	outbox.On(h.Outbox, cards.PostEdited)
	outbox.On(h.Outbox, cards.CommentAdded, social.CommentAdded.MakesCards)
	outbox.On(h.Outbox, cards.CardDismissed)
	outbox.FanOut(h.Outbox, "cards", cards.ContactsFound)
	outbox.On(h.Outbox, cards.CardNotified)
	outbox.FanOut(h.Outbox, "cards", cards.CommentDeleted)
	outbox.FanOut(h.Outbox, "cards", cards.PostMoved)
	outbox.FanOut(h.Outbox, "chatMembers", chats.Joined)
	outbox.FanOut(h.Outbox, "chatMembers", chats.MessageAdded)
	outbox.FanOut(h.Outbox, "chatMembers", chats.MessageEdited)
	outbox.FanOut(h.Outbox, "chatMembers", chats.MessageDeleted)
	outbox.On(h.Outbox, chats.UnviewedChatsMoved)
	outbox.On(h.Outbox, cards.UnviewedChatsMoved)
	outbox.On(h.Outbox, chats.UserBlocked)
	outbox.FanOut(h.Outbox, "chats", chats.ChatDeleted)
	outbox.FanOut(h.Outbox, "chats", chats.UserRemoved)
	outbox.FanOut(h.Outbox, "chatViews", chats.ViewerRemoved)
	outbox.FanOut(h.Outbox, "comments", comments.UserRemoved)
	outbox.On(h.Outbox, subscriptions.AppStoreSubMoved)
	outbox.FanOut(h.Outbox, "appStoreSubs", subscriptions.UserRemoved)
	outbox.FanOut(h.Outbox, "dating", daters.UserChanged)
	outbox.FanOut(h.Outbox, "dating", daters.UserRemoved)
	outbox.FanOut(h.Outbox, "approvals", daters.MatchApproved)
	outbox.On(h.Outbox, daters.MatchConfirmed)
	outbox.On(h.Outbox, chats.MatchConfirmed)
	outbox.On(h.Outbox, daters.UserBlocked)
	outbox.On(h.Outbox, daters.UserUnblocked)
	outbox.On(h.Outbox, cards.SubscriptionMoved)

	outbox.FanOut(h.Outbox, "views", views.PostMoved)
	outbox.On(h.Outbox, comments.CommentAdded, social.CommentAdded.Judged)
	outbox.FanOut(h.Outbox, "comments", comments.BadWordsReplaced)
	outbox.FanOut(h.Outbox, "messages", chats.BadWordsReplaced)
	outbox.On(h.Outbox, chats.JudgeAdded)
	outbox.On(h.Outbox, chats.JudgeEdited)
	outbox.FanOut(h.Outbox, "trends", trends.UserRemoved)
	outbox.FanOut(h.Outbox, "flags", flags.PostMoved)
	outbox.FanOut(h.Outbox, "flags", flags.CommentDeleted)
	outbox.FanOut(h.Outbox, "flags", flags.ChatDeleted)
	outbox.FanOut(h.Outbox, "flags", flags.ChatMessageDeleted)
	outbox.FanOut(h.Outbox, "flags", flags.UserRemoved)
	outbox.FanOut(h.Outbox, "cards", cards.PostViewed)

	r := &resolvers.Resolver{
		Users: users, Accounts: users, Follows: follows, Posts: posts, Albums: albums, Stories: stories, Feed: feeds, Likes: likes, Comments: comments, Notifications: listeners, Cards: cards, Blocks: blocks, Chats: chats,
		Subscriptions: subscriptions,
		Views:         views,
		Trending:      trends,
		Screens:       screens,
		Media:         files,
		Gather:        o.Gather,
		Dating:        daters,
	}
	if h.Push != nil {
		cards.Pusher = pusher{sender: h.Push, devices: s.Devices, to: o.PushTo}
	}
	mounts := h.Media.Serve(media.Receiver{Posts: posts}, social.IsVideoFile)
	if h.PlaceholderPhotos != nil {
		mounts[placeholderPath+"/"] = h.PlaceholderPhotos
	}
	mounts[defaultArt+"/"] = &stock.DefaultArt{Processor: h.Media.Pictures, Log: h.Log}
	return host.Face{
		Schema:           graph.Executable(r, r.Directives()),
		OperationContext: r.WithLoaders,
		// It reads the profiles of many who might be meant.
		Prices:    map[string]int{"Query.searchUsers": 50},
		Scalars:   graph.Scalars,
		Usernames: users,
		Mounts:    mounts,
		Jobs: []job.Job{
			{Name: PushCards, Every: time.Minute, Run: cards.PushDue},
			{Name: ExpireSubscriptions, Every: 24 * time.Hour, Run: subscriptions.Expire},
			{Name: DeleteExpiredPosts, Every: time.Minute, Run: posts.DeleteExpired},
			{Name: DeleteLongExpiredPosts, Every: 24 * time.Hour, Run: posts.DeleteLongExpired},
			{Name: DeleteEmptyAlbums, Every: time.Hour, Run: albums.DeleteEmpty},
			{Name: DeflateTrends, At: 7 * time.Minute, Run: trends.Deflate},
			{Name: CheckBadWords, Every: time.Minute, Run: bad.Check},
			{Name: UpdateAges, Every: 12 * time.Hour, Run: users.UpdateAges},
			{Name: VerifyAppStoreSubs, Every: time.Hour, Run: subscriptions.Verify},
			{Name: ResumeUploads, Every: time.Minute, Run: posts.Resume},
			{Name: EndIdleDating, Every: 24 * time.Hour, Run: daters.EndIdle},
			{Name: RemindOfMatches, Every: 24 * time.Hour, Run: daters.Remind},
		},
	}, nil
}
