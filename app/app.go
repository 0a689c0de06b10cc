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
	"stoa/internal/area"
	"stoa/internal/host"
	"stoa/internal/kit/turns"
	"stoa/resolvers"
	"stoa/social"
	"stoa/social/album"
	"stoa/social/appeal"
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

// CheckBadWords is the name of the job that reads the list of bad words and applies new ones
// to existing content.
const CheckBadWords = badword.CheckJob

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
	// FanOutLimit is the number of followers from which posts of a user are read with the feeds
	// of the followers instead of being copied into them; 0 means never.
	FanOutLimit int
	// WeighReports is set if reports by users whose reports moderators mostly reject count
	// less.
	WeighReports bool
	// LargeChat is the largest number of members of a group in which a message is stored with the
	// counters of all members; 0 means social.LargeChat, which is the most that is possible.
	LargeChat int
	// HotFrom is the number of likes, comments or first views of a post within a second from which
	// they are stored together; 0 means social.HotFrom.
	HotFrom int
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
	s.Users.Hash = h.Hashed
	if err := adoptSearch(ctx, s, h.Log); err != nil {
		return host.Face{}, err
	}
	all := social.FollowedByAll(o.FollowedByAll)
	users := &user.Service{
		Store: s.Users, Identity: h.Accounts, Providers: h.Providers, Reserved: o.ReservedUsernames, FollowedByAll: all, Moderators: h,
		Cases: h.Ops.Operators, Frame: h.Frame,
	}
	if h.Issuer != nil {
		users.Issuer = h.Issuer
	}
	likes := &like.Service{Store: s.Likes, Posts: s.Posts, People: users, Profiles: s.Users, Frame: h.Frame}
	large := feed.NewLarge(s.Feeds, h.Frame.Now)
	notifications := &notification.Service{Bus: h.Bus, Now: h.Now, Large: large}
	feeds := &feed.Service{Store: s.Feeds, Posts: s.Posts, Follows: s.Follows, Large: large, FanOutLimit: o.FanOutLimit, Frame: h.Frame}
	follows := &follow.Service{Store: s.Follows, Users: s.Users, Profiles: s.Users, Likes: likes, FanOutLimit: o.FanOutLimit, Frame: h.Frame}
	files := &media.Service{
		Store: h.Media.Files, Links: h.Media.Links, Cookies: h.Media.Cookies, Pictures: h.Media.Pictures, Films: h.Media.Films,
		PublicURL: h.Config.Issuer.PublicURL, PlaceholderPhotos: h.PlaceholderPhotos, Serve: h.Media.Serve, Log: h.Log,
	}
	users.Posts, users.Photos, users.Devices = s.Posts, files, s.Devices
	if h.PlaceholderPhotos != nil {
		users.Placeholders = h.PlaceholderPhotos.Codes()
	}
	if o.ImageVerification != "" {
		files.Verifier = &media.VerificationService{Root: o.ImageVerification, Key: o.ImageVerificationKey, Client: http.DefaultClient}
	}
	flags := &flag.Service{Store: s.Flags, Profiles: s.Users, Cases: h.Ops.Operators, Weighs: o.WeighReports, Frame: h.Frame}
	posts := &post.Service{
		Store: s.Posts, Albums: s.Albums, People: users, Profiles: s.Users, Files: files, Moderators: h, FollowedByAll: all, Flags: flags, Cases: h.Ops.Operators,
		Checker: h.Checker(), Frame: h.Frame, Adding: turns.New(1), Process: h.Holder, Logger: h.Log,
	}
	files.Posts = posts
	stories := &story.Service{Store: s.Stories, Posts: s.Posts, Follows: s.Follows, Frame: h.Frame}
	albums := &album.Service{
		Store:    s.Albums,
		Posts:    s.Posts,
		People:   users,
		Profiles: s.Users,
		Art:      cmp.Or[album.Art](o.Art, files),
		Frame:    h.Frame,
		Logger:   h.Log,
	}
	bad, err := badword.Open(o.BadWords, s.BadWords, h.Frame)
	if err != nil {
		return host.Face{}, fmt.Errorf("bad words: %w", err)
	}
	cards := &card.Service{
		Store: s.Cards, Users: s.Users, Posts: s.Posts, Comments: s.Comments, Frame: h.Frame, Bus: h.Bus,
		Catalogue: social.CardCatalogue{AppURL: h.Config.Issuer.AppURL, AppName: h.Config.Issuer.AppName},
	}
	likes.Cards, likes.HotFrom = cards, o.HotFrom
	comments := &comment.Service{
		Store:      s.Comments,
		Posts:      s.Posts,
		People:     users,
		Profiles:   s.Users,
		Flags:      flags,
		Cases:      h.Ops.Operators,
		Cards:      cards,
		Moderators: h,
		Checker:    h.Checker(),
		BadWords:   bad,
		HotFrom:    o.HotFrom,
		Frame:      h.Frame,
	}

	blocks := &block.Service{Store: s.Blocks, Users: s.Users, Profiles: s.Users, Likes: likes, Moderators: h, Frame: h.Frame}
	subscriptions := &subscription.Service{Store: s.Subscriptions, Users: s.Users, AppStore: appStore{h.AppStore}, Frame: h.Frame}
	daters := &dating.Service{Store: s.Dating, Profiles: s.Users, Cards: cards, Frame: h.Frame, Earth: social.EarthInMiles}
	if o.Kilometers {
		daters.Earth = social.EarthInKilometers
	}
	chats := &chat.Service{
		Store: s.Chats, People: users, Users: s.Users, Flags: flags, Cases: h.Ops.Operators, BadWords: bad, Checker: h.Checker(), LargeChat: o.LargeChat,
		Frame: h.Frame, Bus: h.Bus, Turns: turns.New(1),
	}

	screens := &screen.Service{Store: s.Screens, Profiles: s.Users, Frame: h.Frame}
	views := &view.Service{Store: s.Views, Profiles: s.Users, Trends: s.Trends, Cards: cards, HotFrom: o.HotFrom, FollowedByAll: all, Frame: h.Frame}
	appeals := &appeal.Service{Store: h.Ops.Operators, Frame: h.Frame}
	trends := &trending.Service{Store: s.Trends, Most: social.MaxTrends}

	users.Ties = follows
	if h.Push != nil {
		cards.Pusher = pusher{sender: h.Push, devices: s.Devices, to: o.PushTo}
	}

	announce(h)
	registered := area.Register(h.Outbox, albums, appeals, bad, blocks, cards, chats, comments, daters, feeds, files, flags, follows, likes,
		notifications, posts, screens, stories, subscriptions, trends, users, views)
	r := &resolvers.Resolver{
		Albums: albums, Appeals: appeals, Blocks: blocks, Cards: cards, Chats: chats, Comments: comments, Dating: daters, Feed: feeds, Follows: follows, Likes: likes,
		Media: files, Notifications: notifications, Posts: posts, Screens: screens, Stories: stories, Subscriptions: subscriptions, Trending: trends,
		Users: users, Views: views, Gather: o.Gather,
	}
	return host.Face{
		Schema: graph.Executable(r, r.Directives()), OperationContext: r.WithLoaders, Scalars: graph.Scalars, Usernames: users,
		Public: registered.Public, Prices: registered.Prices, Mounts: registered.Mounts, Jobs: registered.Jobs, People: people{users, s, h.Media.Files},
		Content: content{posts: posts, comments: comments, chats: chats, store: s, files: files, cases: h.Ops.Operators},
	}, nil
}
