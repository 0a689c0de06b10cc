package seed

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/slice"
	"stoa/social"
	"stoa/social/media"
	"stoa/store"
)

// flushAt is the number of rows written at a time.
const flushAt = 5000

// Options select the network to invent.
type Options = host.Seeding

// Password is the password of all people in all generated networks.
const Password = host.SeedPassword

// System fills the store of a host and returns a report.
func System(ctx context.Context, h *host.Host, o Options) (string, error) {
	pictures := &media.Service{Store: h.Media.Files, Links: h.Media.Links, Pictures: h.Media.Pictures, Log: h.Log}
	r, err := Fill(ctx, store.Open(h.DB), h.Issuer, pictures, h.Frame.Now(), o)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(
		"%d users, %d follows, %d posts (%d with an image, %d as stories), %d albums, %d comments and %d likes.\n\nSign in as any of them. "+
			"One has chats, cards and follow requests:\n   email     %s\n   username  %s\n   password  %s\n",
		r.Users,
		r.Follows,
		r.Posts,
		r.Images,
		r.Stories,
		r.Albums,
		r.Comments,
		r.Likes,
		r.Email,
		r.Username,
		Password,
	), nil
}

// Result describes the content of a filled store, and a login to try.
type Result struct {
	Users, Follows, Posts, Comments, Likes int
	// Chats and Cards are those of the login and of the people they chat with.
	Chats, Cards int
	// Images is the number of posts with an image, Stories of those that are stories.
	Images, Stories int
	Albums          int
	Email, Username string
}

// Fill writes a network and the identities of its people. The store may contain other
// users. If one of them has a username of the network, Fill fails and changes nothing.
//
// Stories are posted shortly before now. If pictures is nil, all posts are text-only, and
// there are no albums.
func Fill(ctx context.Context, s *store.Store, issuer *identity.Issuer, pictures Pictures, now time.Time, o Options) (Result, error) {
	n := invent(o.Seed, o.Users, o.Region)
	if err := refuseTaken(ctx, s, n); err != nil {
		return Result{}, err
	}
	w := writer{network: n, fill: s.NewFill(), commentCounts: make(map[social.UserID]int, o.Users), tallies: make(map[social.UserID]*tally, o.Users),
		catalogue:  social.CardCatalogue{AppURL: issuer.AppURL, AppName: issuer.AppName},
		postCounts: make([]int, o.Users), albumCounts: make([]int, o.Users), now: now,
		pictures: pictures, photos: make([]social.PostID, min(o.Users, painters))}
	for _, p := range n.people {
		w.tallies[p.id] = &tally{}
	}
	if err := w.write(ctx, issuer, o.Progress); err != nil {
		return Result{}, fmt.Errorf("the store now holds a part of the network (%w): seed another store", err)
	}
	return w.result, nil
}

func refuseTaken(ctx context.Context, s *store.Store, n *network) error {
	names := slice.Map(n.people, func(p person) string { return p.username })
	taken, err := s.Users.Holders(ctx, names)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := taken[name]; ok {
			return fmt.Errorf("the store already has the user %s of this network: seed an empty store, or choose another --seed", name)
		}
	}
	return nil
}

func identities(n *network) []identity.Seeded {
	seeded := slice.Map(n.people, func(p person) identity.Seeded { return identity.Seeded{UserID: p.id, Email: p.email()} })
	return seeded
}

// writer writes a network as rows.
type writer struct {
	*network
	fill          *store.Fill
	commentCounts map[social.UserID]int
	postCounts    []int
	albumCounts   []int
	tallies       map[social.UserID]*tally
	catalogue     social.CardCatalogue
	now           time.Time
	pictures      Pictures
	// photos are the posts whose images are the people's photos, by person.
	photos []social.PostID
	result Result
}

// tally counts what a person has to do with chats, cards and views.
type tally struct{ chats, unviewedChats, messages, cards, views int }

// write writes everything and counts it in result.
func (w *writer) write(ctx context.Context, issuer *identity.Issuer, progress func(done, total int)) error {
	w.result.Email, w.result.Username = w.people[0].email(), w.people[0].username
	if err := issuer.Seed(ctx, Password, identities(w.network)); err != nil {
		return err
	}
	for i := range w.people {
		if err := w.person(ctx, i); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(w.people))
		}
	}
	w.surround()
	// Profiles come last, as only now all counters are known.
	for i := range w.people {
		if err := w.profile(ctx, i); err != nil {
			return err
		}
	}
	return w.fill.Run(ctx)
}

// person writes everything of person i: follows, posts, albums, stories, and the comments
// and likes on these.
func (w *writer) person(ctx context.Context, i int) error {
	for _, f := range w.followed(i) {
		w.fill.Follow(f)
		w.result.Follows++
	}
	feeds := []social.UserID{w.people[i].id}
	for _, reader := range w.readers[i] {
		feeds = append(feeds, w.people[reader].id)
	}
	posts := w.posts(i)
	painted, err := w.paint(ctx, i, posts)
	if err != nil {
		return err
	}
	if err := w.collect(ctx, i, posts, painted); err != nil {
		return err
	}
	stories := w.stories(i, w.now)
	if err := w.tell(ctx, i, stories, painted); err != nil {
		return err
	}
	posts = append(posts, stories...)
	if i == 0 {
		w.remind(posts)
	}
	for _, p := range posts {
		w.fill.Post(p.post, feeds)
		if image := painted[p.post.PostID]; image != nil {
			w.fill.Image(p.post, *image)
			w.result.Images++
		}
		for _, c := range p.comments {
			w.fill.Comment(c)
			w.commentCounts[c.UserID]++
		}
		for _, l := range p.likes {
			w.fill.Like(l)
		}
		w.result.Comments += len(p.comments)
		w.result.Likes += len(p.likes)
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	w.postCounts[i] = len(posts)
	w.result.Posts += len(posts)
	return w.flush(ctx)
}

// profile writes the profile of person i with its counters.
func (w *writer) profile(ctx context.Context, i int) error {
	p := w.people[i]
	u := social.User{
		UserID: p.id, Username: p.username, FullName: p.fullName, Bio: p.bio, Email: p.email(),
		Status: social.UserActive, Privacy: social.Public, SignedUpAt: w.signedUpAt(i),
		FollowerCount: len(w.readers[i]), PostCount: w.postCounts[i], AlbumCount: w.albumCounts[i],
	}
	if p.private {
		u.Privacy = social.Private
	}
	for _, f := range w.follows[i] {
		if f.status == social.Following {
			u.FollowedCount++
		}
	}
	u.FollowersRequestedCount = w.requests[i]
	if i < len(w.photos) {
		u.PhotoPostID = w.photos[i]
	}
	t := w.tallies[p.id]
	u.ChatCount, u.ChatsWithUnviewedMessagesCount, u.ChatMessagesCreationCount = t.chats, t.unviewedChats, t.messages
	u.CardCount, u.PostViewedByCount = t.cards, t.views
	w.fill.User(u, w.commentCounts[p.id])
	w.result.Users++
	return w.flush(ctx)
}

func (w *writer) flush(ctx context.Context) error {
	if w.fill.Len() < flushAt {
		return nil
	}
	return w.fill.Run(ctx)
}
