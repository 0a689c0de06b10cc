package app

import (
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"slices"

	"stoa/internal/kit/page"
	"stoa/internal/media/blob"
	"stoa/internal/operator"
	"stoa/internal/operator/takeout"
	"stoa/social"
)

// exports writes what a user gave and what is about them.
type exports struct {
	people
	// names are those of other users that have been looked up, by id. There are a few more
	// than the export's lists have at most at a time: see name.
	names map[social.UserID]string
	id    social.UserID
}

var _ operator.Exporter = people{}

// Export adds the files of a user to an archive.
func (p people) Export(ctx context.Context, id operator.UserID, to *takeout.Writer) error {
	u, err := p.store.Users.Profile(ctx, id)
	if u == nil || err != nil {
		return err
	}
	e := &exports{people: p, names: map[social.UserID]string{id: u.Username}, id: id}
	for _, write := range []func(context.Context, *takeout.Writer) error{
		func(ctx context.Context, to *takeout.Writer) error { return e.profile(ctx, to, u) },
		e.posts, e.media, e.comments, e.albums, e.likes, e.follows, e.blocks, e.matches, e.flags, e.cards, e.chats, e.messages, e.receipts, e.screens,
	} {
		if err := write(ctx, to); err != nil {
			return err
		}
	}
	return nil
}

// profile adds the profile with its photo, which stays if the post that it is from is deleted.
func (e *exports) profile(ctx context.Context, to *takeout.Writer, u *social.User) error {
	f := profileFields(u)
	if u.PhotoPostID == "" {
		return to.Item("user", "Profile", f)
	}
	photo := to.Path("media", "profile-photo.jpg")
	if err := to.Item("user", "Profile", append(f, takeout.Field{Name: "photo", Value: []takeout.File{photo}})); err != nil {
		return err
	}
	return addFile(ctx, to, e.files, photo, social.PhotoFiles(u.UserID, u.PhotoPostID)+"/native.jpg")
}

func profileFields(u *social.User) takeout.Fields {
	f := takeout.Fields{
		{Name: "userId", Value: string(u.UserID)}, {Name: "username", Value: u.Username}, {Name: "fullName", Value: u.FullName},
		{Name: "displayName", Value: u.DisplayName}, {Name: "bio", Value: u.Bio}, {Name: "email", Value: u.Email}, {Name: "phoneNumber", Value: u.PhoneNumber},
		{Name: "userStatus", Value: string(u.Stands())}, {Name: "privacyStatus", Value: string(u.Privacy)},
		{Name: "subscriptionLevel", Value: string(u.Subscription)}, {Name: "languageCode", Value: u.LanguageCode},
		{Name: "themeCode", Value: u.ThemeCode}, {Name: "acceptedEULAVersion", Value: u.AcceptedEULAVersion}, {Name: "signedUpAt", Value: u.SignedUpAt},
		{Name: "lastDisabledAt", Value: u.LastDisabledAt}, {Name: "lastClient", Value: u.LastClient}, {Name: "dateOfBirth", Value: u.DateOfBirth},
		{Name: "gender", Value: string(u.Gender)}, {Name: "matchGenders", Value: u.MatchGenders}, {Name: "datingStatus", Value: string(u.DatingStatus)},
		{Name: "userDisableDatingDate", Value: u.UserDisableDatingDate}, {Name: "subscriptionExpiresAt", Value: u.SubscriptionExpiresAt},
		{Name: "lastFoundContactsAt", Value: u.LastFoundContactsAt},
	}
	if u.MatchLocationRadius != 0 {
		f = append(f, takeout.Field{Name: "matchLocationRadius", Value: u.MatchLocationRadius})
	}
	return slices.Concat(f, given("age", u.Age), given("height", u.Height), given("location", locationFields(u.Location)),
		given("matchAgeRange", rangeFields(u.MatchAgeRange)), given("matchHeightRange", rangeFields(u.MatchHeightRange)),
		given("followCountsHidden", u.FollowCountsHidden), given("viewCountsHidden", u.ViewCountsHidden), given("commentsDisabled", u.CommentsDisabled),
		given("likesDisabled", u.LikesDisabled), given("sharingDisabled", u.SharingDisabled), given("verificationHidden", u.VerificationHidden))
}

// given returns the field of a value, or none if it is nil.
func given[T any](name string, value *T) takeout.Fields {
	if value == nil {
		return nil
	}
	return takeout.Fields{{Name: name, Value: *value}}
}

func locationFields(l *social.Location) *takeout.Fields {
	if l == nil {
		return nil
	}
	f := append(takeout.Fields{{Name: "latitude", Value: l.Latitude}, {Name: "longitude", Value: l.Longitude}}, given("accuracy", l.Accuracy)...)
	return &f
}

func rangeFields(r *social.Range) *takeout.Fields {
	if r == nil {
		return nil
	}
	return &takeout.Fields{{Name: "min", Value: r.Min}, {Name: "max", Value: r.Max}}
}

// name returns the username of a user, or "" if they are gone.
func (e *exports) name(ctx context.Context, id social.UserID) (string, error) {
	const most = 10_000
	if name, known := e.names[id]; known || id == "" {
		return name, nil
	}
	u, err := e.store.Users.Profile(ctx, id)
	if err != nil {
		return "", err
	}
	if len(e.names) == most {
		clear(e.names)
	}
	e.names[id] = ""
	if u != nil {
		e.names[id] = u.Username
	}
	return e.names[id], nil
}

// statuses are those of posts that are exported.
var statuses = []social.PostStatus{social.PostCompleted, social.PostArchived}

func (e *exports) allPosts(ctx context.Context) iter.Seq2[*social.Post, error] {
	var lists []func(page.Query) (page.Page[*social.Post], error)
	for _, status := range statuses {
		lists = append(lists, func(q page.Query) (page.Page[*social.Post], error) { return e.store.Posts.ByUser(ctx, e.id, status, q) })
	}
	return page.All(lists...)
}

func (e *exports) posts(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "posts", "Posts", e.allPosts(ctx), func(p *social.Post) (takeout.Fields, error) {
		var files []takeout.File
		key, err := e.mediaOf(ctx, p)
		if err != nil {
			return nil, err
		}
		if key != "" {
			files = append(files, mediaPath(to, p, key))
		}
		return takeout.Fields{
			{Name: "postId", Value: string(p.PostID)}, {Name: "postType", Value: string(p.Type)}, {Name: "postStatus", Value: string(p.Status)},
			{Name: "postedAt", Value: p.PostedAt}, {Name: "expiresAt", Value: p.ExpiresAt}, {Name: "text", Value: p.Text}, {Name: "keywords", Value: p.Keywords},
			{Name: "albumId", Value: string(p.AlbumID)}, {Name: "viewedByCount", Value: p.ViewedByCount}, {Name: "commentsCount", Value: p.CommentCount},
			{Name: "onymousLikeCount", Value: p.OnymousLikeCount}, {Name: "anonymousLikeCount", Value: p.AnonymousLikeCount},
			{Name: "removedBy", Value: string(p.RemovedBy)}, {Name: "files", Value: files},
		}, nil
	})
}

// mediaFiles are the files of a post in order of preference: what was uploaded, or else the
// largest size of what was made of it.
var mediaFiles = []string{"image/native.jpg", "image/native.heic", "image/4K.jpg", "image/1080p.jpg", "image/480p.jpg", "image/64p.jpg"}

// mediaOf returns the key of a post's file, or "" if it has none.
func (e *exports) mediaOf(ctx context.Context, p *social.Post) (string, error) {
	if !p.HasFiles() {
		return "", nil
	}
	files := mediaFiles
	if p.Type == social.VideoPost {
		files = append([]string{"video-original.mov"}, mediaFiles...)
	}
	for _, name := range files {
		key := social.PostFiles(p.PostedByUserID, p.PostID) + "/" + name
		switch _, err := e.files.Head(ctx, key); {
		case err == nil:
			return key, nil
		case !errors.Is(err, blob.ErrNotFound):
			return "", err
		}
	}
	return "", nil
}

func mediaPath(to *takeout.Writer, p *social.Post, key string) takeout.File {
	return to.Path("media", string(p.PostID)+path.Ext(key))
}

// media adds the files of posts.
func (e *exports) media(ctx context.Context, to *takeout.Writer) error {
	for p, err := range e.allPosts(ctx) {
		if err != nil {
			return err
		}
		key, err := e.mediaOf(ctx, p)
		if err != nil {
			return err
		}
		if key == "" {
			continue
		}
		if err := addFile(ctx, to, e.files, mediaPath(to, p, key), key); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds a file, unless it has been deleted meanwhile.
func addFile(ctx context.Context, to *takeout.Writer, files blob.Store, name takeout.File, key string) error {
	content, _, err := files.Open(ctx, key, blob.Range{})
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(to.File(name, io.Reader(content)), content.Close())
}

func (e *exports) comments(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "comments", "Comments", page.All(page.Of(ctx, e.store.Comments.ByUser, e.id)), func(c *social.Comment) (takeout.Fields, error) {
		return takeout.Fields{
			{Name: "commentId", Value: string(c.CommentID)}, {Name: "postId", Value: string(c.PostID)}, {Name: "commentedAt", Value: c.CommentedAt},
			{Name: "text", Value: c.Text},
		}, nil
	})
}

func (e *exports) albums(ctx context.Context, to *takeout.Writer) error {
	list := func(q page.Query) (page.Page[social.AlbumFacts], error) {
		return e.store.Albums.ByUser(ctx, e.id, e.id, q, false)
	}
	return takeout.Rows(to, "albums", "Albums", page.All(list), func(f social.AlbumFacts) (takeout.Fields, error) {
		a := f.Album
		return takeout.Fields{
			{Name: "albumId", Value: string(a.AlbumID)}, {Name: "name", Value: a.Name}, {Name: "description", Value: a.Description},
			{Name: "createdAt", Value: a.CreatedAt}, {Name: "postCount", Value: a.PostCount},
		}, nil
	})
}

func (e *exports) likes(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "likes", "Likes", page.All(page.Of(ctx, e.store.Likes.OfLiker, e.id)), func(l social.Like) (takeout.Fields, error) {
		return takeout.Fields{{Name: "postId", Value: string(l.PostID)}, {Name: "likeStatus", Value: string(l.Status)}, {Name: "likedAt", Value: l.LikedAt}}, nil
	})
}

// with returns the fields of another user.
func (e *exports) with(ctx context.Context, id social.UserID, more ...takeout.Field) (takeout.Fields, error) {
	name, err := e.name(ctx, id)
	return append(takeout.Fields{{Name: "userId", Value: string(id)}, {Name: "username", Value: name}}, more...), err
}

func (e *exports) follows(ctx context.Context, to *takeout.Writer) error {
	followed := page.All(page.Of(ctx, e.store.Follows.ByFollower, e.id))
	err := takeout.Rows(to, "followedUsers", "Followed users", followed, func(f social.Follow) (takeout.Fields, error) {
		return e.with(ctx, f.FollowedUserID, takeout.Field{Name: "followedStatus", Value: string(f.Status)}, takeout.Field{Name: "followedAt", Value: f.FollowedAt})
	})
	if err != nil {
		return err
	}
	return takeout.Rows(to, "followerUsers", "Followers", page.All(page.Of(ctx, e.store.Follows.ByFollowed, e.id)), func(f social.Follow) (takeout.Fields, error) {
		return e.with(ctx, f.FollowerUserID, takeout.Field{Name: "followerStatus", Value: string(f.Status)}, takeout.Field{Name: "followedAt", Value: f.FollowedAt})
	})
}

func (e *exports) blocks(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "blockedUsers", "Blocked users", page.All(page.Of(ctx, e.store.Blocks.ByUser, e.id)), func(b social.Block) (takeout.Fields, error) {
		return e.with(ctx, b.BlockedUserID, takeout.Field{Name: "blockedAt", Value: b.BlockedAt})
	})
}

func (e *exports) matches(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "matchedUsers", "Matched users", page.All(page.Of(ctx, e.store.Dating.Of, e.id)), func(m *social.Match) (takeout.Fields, error) {
		return e.with(ctx, m.MatchUserID, takeout.Field{Name: "matchStatus", Value: string(m.Status)})
	})
}

func (e *exports) flags(ctx context.Context, to *takeout.Writer) error {
	var lists []func(page.Query) (page.Page[social.Flag], error)
	for _, kind := range social.FlagKinds {
		lists = append(lists, func(q page.Query) (page.Page[social.Flag], error) { return e.store.Flags.ByUser(ctx, kind, e.id, q) })
	}
	return takeout.Rows(to, "reports", "Reports", page.All(lists...), func(f social.Flag) (takeout.Fields, error) {
		r := f.Report()
		return takeout.Fields{
			{Name: "kind", Value: string(f.Kind)}, {Name: "itemId", Value: f.ItemID}, {Name: "createdAt", Value: r.When}, {Name: "reason", Value: r.Why},
		}, nil
	})
}

func (e *exports) cards(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "cards", "Cards", page.All(page.Of(ctx, e.store.Cards.ByUser, e.id)), func(c *social.Card) (takeout.Fields, error) {
		return takeout.Fields{{Name: "title", Value: c.ShownTitle()}, {Name: "subTitle", Value: c.SubTitle}, {Name: "createdAt", Value: c.CreatedAt}}, nil
	})
}

func (e *exports) memberships(ctx context.Context) func(page.Query) (page.Page[*social.ChatMember], error) {
	return page.Of(ctx, e.store.Chats.Memberships, e.id)
}

func (e *exports) chats(ctx context.Context, to *takeout.Writer) error {
	return takeout.Rows(to, "chats", "Chats", page.All(e.memberships(ctx)), func(m *social.ChatMember) (takeout.Fields, error) {
		facts, err := e.store.Chats.Facts(ctx, e.id, []social.ChatID{m.ChatID}, 0)
		if err != nil || facts[m.ChatID].Chat == nil {
			return takeout.Fields{{Name: "chatId", Value: string(m.ChatID)}}, err
		}
		c := facts[m.ChatID].Chat
		f := takeout.Fields{
			{Name: "chatId", Value: string(c.ChatID)}, {Name: "chatType", Value: string(c.Type)}, {Name: "name", Value: c.Name}, {Name: "createdAt", Value: c.CreatedAt},
			{Name: "joinedAt", Value: m.JoinedAt}, {Name: "messagesCount", Value: c.MessagesCount},
		}
		if c.Type == social.ChatDirect {
			other := c.Pair.First
			if other == e.id {
				other = c.Pair.Second
			}
			name, err := e.name(ctx, other)
			return append(f, takeout.Field{Name: "username", Value: name}), err
		}
		return f, nil
	})
}

// messages adds the messages of the user's chats, also those of others: with the names that the
// user sees, and nothing else about them.
func (e *exports) messages(ctx context.Context, to *takeout.Writer) error {
	return to.List("chatMessages", "Messages", func(add func(takeout.Fields) error) error {
		for m, err := range page.All(e.memberships(ctx)) {
			if err != nil {
				return err
			}
			list := func(q page.Query) (page.Page[*social.ChatMessage], error) {
				return e.store.Chats.Messages(ctx, m.ChatID, q, false)
			}
			for said, err := range page.All(list) {
				if err != nil {
					return err
				}
				if said.HiddenFrom(e.id) {
					continue
				}
				name, err := e.name(ctx, said.UserID)
				if err != nil {
					return err
				}
				err = add(takeout.Fields{
					{Name: "messageId", Value: string(said.MessageID)}, {Name: "chatId", Value: string(said.ChatID)}, {Name: "author", Value: name},
					{Name: "createdAt", Value: said.CreatedAt}, {Name: "lastEditedAt", Value: said.LastEditedAt}, {Name: "text", Value: said.Text},
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (e *exports) receipts(ctx context.Context, to *takeout.Writer) error {
	bought := page.All(page.Of(ctx, e.store.Subscriptions.OfUser, e.id))
	return takeout.Rows(to, "appStoreReceipts", "App Store receipts", bought, func(a *social.AppStoreSub) (takeout.Fields, error) {
		return takeout.Fields{
			{Name: "receiptData", Value: a.OriginalReceipt}, {Name: "originalTransactionId", Value: a.OriginalTransactionID},
			{Name: "status", Value: string(a.Status)}, {Name: "createdAt", Value: a.CreatedAt}, {Name: "lastVerificationAt", Value: a.LastVerificationAt},
		}, nil
	})
}

func (e *exports) screens(ctx context.Context, to *takeout.Writer) error {
	viewed := page.All(page.Of(ctx, e.store.Screens.OfUser, e.id))
	return takeout.Rows(to, "screenViews", "Screens viewed", viewed, func(v social.ScreenView) (takeout.Fields, error) {
		return takeout.Fields{
			{Name: "screen", Value: v.Screen}, {Name: "viewCount", Value: v.Count}, {Name: "firstViewedAt", Value: v.FirstViewedAt},
			{Name: "lastViewedAt", Value: v.LastViewedAt},
		}, nil
	})
}
