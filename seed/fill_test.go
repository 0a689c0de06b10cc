package seed

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"stoa/app"
	"stoa/internal/host"
	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/page"
	"stoa/internal/media/art"
	"stoa/social"
	"stoa/store"
	"stoa/store/storetest"
)

// clock is the time of the tests: later than all of the network but its stories.
var clock = epoch.Add(40 * 24 * time.Hour)

// filled is a store with a small network.
type filled struct {
	*testing.T
	*network
	store  *store.Store
	calls  *storetest.Calls
	issuer *identity.Issuer
	result Result
}

func newHost(t *testing.T, s *store.Store) *host.Host {
	t.Helper()
	h, err := host.New(t.Context(), host.Config{
		DB: s.DB, Holder: "test", Now: time.Now, NewID: uuid.NewString, Random: rand.Reader,
		Issuer: host.IssuerConfig{Mode: identity.Dev, Region: "us-east-1", Cost: identity.Cost{MemoryKiB: 8, Passes: 1}},
		Log:    slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
	}, app.System(app.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func fillSmall(t *testing.T) filled {
	t.Helper()
	s, calls := storetest.Open(t)
	h := newHost(t, s)
	result, err := Fill(t.Context(), s, h.Issuer, nil, clock, Options{Users: 80, Seed: 4, Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	return filled{T: t, network: invent(4, 80, "us-east-1"), store: s, calls: calls, issuer: h.Issuer, result: result}
}

// all reads all pages of a list.
func all[T any](t *testing.T, read func(q page.Query) (page.Page[T], error)) (items []T) {
	t.Helper()
	for q := (page.Query{First: page.Max}); ; {
		p, err := read(q)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, p.Items...)
		if p.Next == "" {
			return items
		}
		q.After = p.Next
	}
}

// Lists and counters match, and nothing is missing from either.
func TestFillKeepsCounters(t *testing.T) {
	f := fillSmall(t)
	total := Result{Users: len(f.people), Email: f.people[0].email(), Username: f.people[0].username}
	counts := map[social.UserID]map[string]int{}
	for _, p := range f.people {
		counts[p.id] = map[string]int{}
	}
	for _, p := range f.people {
		followers := func(status social.FollowStatus) int {
			n := len(all(t, func(q page.Query) (page.Page[social.Follow], error) {
				return f.store.Follows.Followers(t.Context(), p.id, status, q)
			}))
			total.Follows += n
			return n
		}
		followers(social.FollowDenied)
		posts := all(t, func(q page.Query) (page.Page[*social.Post], error) {
			return f.store.Posts.ByUser(t.Context(), p.id, social.PostCompleted, q)
		})
		total.Posts += len(posts)
		count(counts[p.id], "followerCount", followers(social.Following))
		count(counts[p.id], "followersRequestedCount", followers(social.FollowRequested))
		count(counts[p.id], "followedCount", len(all(t, func(q page.Query) (page.Page[social.Follow], error) {
			return f.store.Follows.Followed(t.Context(), p.id, social.Following, q)
		})))
		count(counts[p.id], "postCount", len(posts))
		for _, post := range posts {
			comments, likes := f.checkPost(post)
			for _, c := range comments {
				count(counts[c.UserID], "commentCount", 1)
			}
			if post.IsStory() {
				total.Stories++
			}
			count(counts[p.id], "postViewedByCount", post.ViewedByCount)
			total.Comments += len(comments)
			total.Likes += likes
		}
	}
	chats := map[social.ChatID]bool{}
	for id, want := range counts {
		f.checkSurroundings(id, want, chats, &total)
	}
	total.Chats = len(chats)
	for id, want := range counts {
		storetest.Counts(t, f.calls, "user/"+string(id), "profile", want)
	}
	if total.Stories == 0 {
		t.Error("nobody has stories")
	}
	if total != f.result {
		t.Errorf("Fill reports %+v, the store holds %+v", f.result, total)
	}
}

// checkSurroundings counts the chats and cards of a user.
func (f filled) checkSurroundings(id social.UserID, counts map[string]int, chats map[social.ChatID]bool, total *Result) {
	f.Helper()
	for _, m := range all(f.T, func(q page.Query) (page.Page[*social.ChatMember], error) {
		return f.store.Chats.ByUser(f.Context(), id, q)
	}) {
		members, err := f.store.Chats.Members(f.Context(), m.ChatID)
		if err != nil {
			f.Fatal(err)
		}
		*m = members[slices.IndexFunc(members, func(m social.ChatMember) bool { return m.UserID == id })]
		chats[m.ChatID] = true
		count(counts, "chatCount", 1)
		if m.MessagesUnviewedCount > 0 {
			count(counts, "chatsWithUnviewedMessagesCount", 1)
		}
		messages := all(f.T, func(q page.Query) (page.Page[*social.ChatMessage], error) {
			return f.store.Chats.Messages(f.Context(), m.ChatID, q, false)
		})
		unviewed := 0
		for _, message := range messages {
			if unviewed++; message.UserID == id {
				unviewed = 0
				count(counts, "chatMessagesCreationCount", 1)
			}
			checkTags(f.T, message.Text, message.TextTags)
		}
		if m.MessagesUnviewedCount != unviewed {
			f.Errorf("%s has %d unviewed messages, want %d", id, m.MessagesUnviewedCount, unviewed)
		}
	}
	cards := len(all(f.T, func(q page.Query) (page.Page[*social.Card], error) { return f.store.Cards.ByUser(f.Context(), id, q) }))
	count(counts, "cardCount", cards)
	total.Cards += cards
}

// Newcomers who sign in with the login find something everywhere, and posts that they can like.
func TestTheLoginHasSomeOfEverything(t *testing.T) {
	f := fillSmall(t)
	me := f.people[0].id
	facts, err := f.store.Users.Facts(t.Context(), me, []social.UserID{me}, 0)
	if err != nil {
		t.Fatal(err)
	}
	u := facts[me].User
	if u.ChatCount != loginChats+1 || u.ChatsWithUnviewedMessagesCount == 0 || u.CardCount < 3 || u.FollowersRequestedCount == 0 ||
		u.FollowedCount == 0 || u.FollowerCount == 0 || u.PostCount < loginPosts {
		t.Errorf("the login is %+v", u)
	}
	users := all(t, func(q page.Query) (page.Page[social.UserID], error) { return f.store.Trends.Users(t.Context(), q) })
	posts := all(t, func(q page.Query) (page.Page[social.PostID], error) { return f.store.Trends.Posts(t.Context(), q) })
	if len(users) == 0 || len(posts) != f.result.Stories {
		t.Errorf("%d users and %d posts trend", len(users), len(posts))
	}
	for i := range f.people {
		for _, w := range append(f.posts(i), f.stories(i, clock)...) {
			if w.post.LikesDisabled == nil || *w.post.LikesDisabled {
				t.Fatalf("%+v cannot be liked", w.post)
			}
		}
	}
}

// count increments a counter, which is absent while it is zero.
func count(counts map[string]int, name string, n int) {
	if n > 0 {
		counts[name] += n
	}
}

// checkPost compares a post's counters with its lists.
func (f filled) checkPost(post *social.Post) (comments []*social.Comment, likes int) {
	f.Helper()
	comments = all(f.T, func(q page.Query) (page.Page[*social.Comment], error) {
		return f.store.Comments.ByPost(f.Context(), post.PostID, q, false)
	})
	likesOf := func(status social.LikeStatus) int {
		return len(all(f.T, func(q page.Query) (page.Page[social.Like], error) {
			return f.store.Likes.ByPost(f.Context(), post.PostID, status, q)
		}))
	}
	onymous, anonymous := likesOf(social.OnymouslyLiked), likesOf(social.AnonymouslyLiked)
	if post.CommentCount != len(comments) || post.OnymousLikeCount != onymous || post.AnonymousLikeCount != anonymous {
		f.Errorf("post %+v has %d comments, %d and %d likes", post, len(comments), onymous, anonymous)
	}
	return comments, onymous + anonymous
}

// Every feed contains the user's own posts and those of the users they follow, newest
// first.
func TestFillKeepsFeeds(t *testing.T) {
	f := fillSmall(t)
	for i, p := range f.people {
		sources := []int{i}
		for _, follow := range f.follows[i] {
			if follow.status == social.Following {
				sources = append(sources, int(follow.to))
			}
		}
		var posts []social.Post
		for _, source := range sources {
			for _, w := range append(f.posts(source), f.stories(source, clock)...) {
				posts = append(posts, w.post)
			}
		}
		slices.SortFunc(posts, func(a, b social.Post) int { return b.PostedAt.Compare(a.PostedAt) })
		var want, got []social.PostID
		for _, post := range posts {
			want = append(want, post.PostID)
		}
		for _, entry := range all(t, func(q page.Query) (page.Page[social.FeedItem], error) {
			return f.store.Feeds.Entries(t.Context(), p.id, q)
		}) {
			got = append(got, entry.PostID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the feed of %s holds %d posts, want %d in order", p.username, len(got), len(want))
		}
	}
}

func TestAnybodyFilledCanSignIn(t *testing.T) {
	f := fillSmall(t)
	handler := f.issuer.Handler()
	for _, body := range []string{
		`{"email":` + strconv.Quote(f.result.Email) + `,"password":"` + Password + `"}`,
		`{"userId":"` + string(f.people[79].id) + `","password":"` + Password + `"}`,
	} {
		r := httptest.NewRequest(http.MethodPost, "/auth/sign-in", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
}

func TestFillRefusesNamesThatAreTaken(t *testing.T) {
	f := fillSmall(t)
	_, err := Fill(t.Context(), f.store, f.issuer, nil, clock, Options{Users: 80, Seed: 4, Region: "us-east-1"})
	if err == nil || !strings.Contains(err.Error(), "seed an empty store, or choose another --seed") {
		t.Errorf("a second time gives %v", err)
	}
	done := 0
	other, err := Fill(t.Context(), f.store, f.issuer, nil, clock, Options{Users: 3, Seed: 99, Region: "us-east-1", Progress: func(d, total int) {
		if done++; d != done || total != 3 {
			t.Errorf("progress %d of %d after %d", d, total, done)
		}
	}})
	if err != nil || other.Users != 3 || done != 3 {
		t.Errorf("another network beside the first: %+v, %v, progress %d", other, err, done)
	}
}

// Followers of people with stories see the story of each that expires first.
func TestFillKeepsFirstStories(t *testing.T) {
	f := fillSmall(t)
	for i, p := range f.people {
		want := map[social.UserID]social.FirstStory{}
		for _, follow := range f.follows[i] {
			stories := f.stories(int(follow.to), clock)
			if follow.status != social.Following || len(stories) == 0 {
				continue
			}
			// All have the same lifetime, so the oldest expires first.
			first := stories[0].post
			want[first.PostedByUserID] = social.FirstStory{
				FollowedUserID: first.PostedByUserID, FollowerUserID: p.id, PostID: first.PostID, ExpiresAt: first.ExpiresAt,
			}
		}
		if i == 0 && len(want) == 0 {
			t.Error("the first person is shown no stories")
		}
		followed := all(t, func(q page.Query) (page.Page[social.UserID], error) {
			return f.store.Stories.Followed(t.Context(), p.id, clock.Add(social.StoryHorizon), q)
		})
		if len(followed) != len(want) {
			t.Errorf("%s is shown the stories of %d people, want %d", p.username, len(followed), len(want))
		}
		for _, id := range followed {
			first, _, err := f.store.Stories.First(t.Context(), id, []social.UserID{p.id})
			if err != nil || *first[0] != want[id] {
				t.Errorf("the first story of %s for %s is %+v, want %+v; %v", id, p.username, first[0], want[id], err)
			}
			stories, err := f.store.Stories.OfUser(t.Context(), id, clock.Add(social.StoryHorizon), page.Query{First: page.Max})
			if err != nil || len(stories.Items) == 0 || stories.Items[0] != want[id].PostID {
				t.Errorf("the stories of %s are %v, want %s first; %v", id, stories.Items, want[id].PostID, err)
			}
		}
	}
}

// The clock moves the times of stories and changes nothing else.
func TestStoriesFollowTheClock(t *testing.T) {
	n, by := invent(7, 60, "us-east-1"), 1000*time.Hour
	for i := range n.people {
		now, later := n.stories(i, clock), n.stories(i, clock.Add(by))
		for k := range now {
			p := &now[k].post
			if p.PostedAt.After(clock) || !p.ExpiresAt.After(clock) || p.ExpiresAt.After(clock.Add(social.StoryHorizon)) {
				t.Errorf("at %s a story was posted at %s and expires at %s", clock, p.PostedAt, p.ExpiresAt)
			}
			p.PostedAt, p.ExpiresAt = p.PostedAt.Add(by), p.ExpiresAt.Add(by)
		}
		if !reflect.DeepEqual(now, later) {
			t.Errorf("the stories of person %d are other ones later", i)
		}
	}
}

// Some posts are images that can be read in all sizes, people have photos, and albums have
// art of the images in them.
func TestSomePostsAreImages(t *testing.T) {
	s, _ := storetest.Open(t)
	h := newHost(t, s)
	report, err := System(t.Context(), h, Options{Users: 8, Seed: 4, Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	images, photos, stories, albums := 0, 0, 0, 0
	for _, p := range invent(4, 8, "us-east-1").people {
		posts := all(t, func(q page.Query) (page.Page[*social.Post], error) {
			return s.Posts.ByUser(t.Context(), p.id, social.PostCompleted, q)
		})
		albums += checkAlbums(t, s, h, p.id, posts)
		for _, post := range posts {
			if post.IsStory() {
				stories++
			}
			if post.Type != social.ImagePost {
				continue
			}
			images++
			facts, err := s.Posts.Facts(t.Context(), p.id, []social.PostID{post.PostID}, social.PostImageRow)
			if about := facts[post.PostID].Image; err != nil || about == nil || about.Width != paintedWidth || len(about.Colors) != 5 {
				t.Errorf("image %+v, %v", about, err)
			}
			if first, err := s.Posts.FirstWith(t.Context(), post.Checksum, post.PostedAt.Add(time.Microsecond)); err != nil || first != post.PostID {
				t.Errorf("the first post with the image of %s is %q, %v", post.PostID, first, err)
			}
			if _, err := h.Media.Files.Head(t.Context(), social.PostImageFiles(p.id, post.PostID)+"/64p.jpg"); err != nil {
				t.Errorf("thumbnail of %s: %v", post.PostID, err)
			}
		}
		u, err := s.Users.Profile(t.Context(), p.id)
		if err != nil {
			t.Fatal(err)
		}
		if u.PhotoPostID != "" {
			photos++
			if _, err := h.Media.Files.Head(t.Context(), social.PhotoFiles(p.id, u.PhotoPostID)+"/64p.jpg"); err != nil {
				t.Errorf("photo of %s: %v", u.Username, err)
			}
		}
	}
	reported := fmt.Sprintf("(%d with an image, %d as stories), %d albums,", images, stories, albums)
	if images == 0 || photos == 0 || stories == 0 || albums == 0 || !strings.Contains(report, reported) {
		t.Errorf("%d photos, %s; report %s", photos, reported, report)
	}
	err = s.DB.Verify(t.Context(), func(f keyspec.Finding) { t.Error(f) })
	if err != nil {
		t.Error(err)
	}
}

// checkAlbums compares the albums of a user with the user's posts, and returns their
// number.
func checkAlbums(t *testing.T, s *store.Store, h *host.Host, owner social.UserID, posts []*social.Post) int {
	t.Helper()
	in, images := map[social.AlbumID]int{}, map[social.AlbumID]int{}
	for _, post := range posts {
		in[post.AlbumID]++
		if post.Type == social.ImagePost {
			images[post.AlbumID]++
		}
	}
	albums := all(t, func(q page.Query) (page.Page[social.AlbumFacts], error) {
		return s.Albums.ByUser(t.Context(), owner, owner, q, false)
	})
	if len(albums) > 3 {
		t.Errorf("%s has %d albums", owner, len(albums))
	}
	for _, f := range albums {
		a := f.Album
		shown := all(t, func(q page.Query) (page.Page[social.PostID], error) {
			return s.Posts.InAlbum(t.Context(), a.AlbumID, q)
		})
		if a.PostCount != len(shown) || len(shown) != in[a.AlbumID] || images[a.AlbumID] == 0 || !a.DeleteAt.IsZero() {
			t.Errorf("album %+v shows %d posts; %d are in it, with %d images", a, len(shown), in[a.AlbumID], images[a.AlbumID])
		}
		if want := social.ArtHash(shown[:art.Used(len(shown))]); a.ArtHash != want {
			t.Errorf("album %s has the art %q, want %q", a.AlbumID, a.ArtHash, want)
		}
		for _, size := range []string{"64p", "4K"} {
			if _, err := h.Media.Files.Head(t.Context(), social.AlbumArtFiles(owner, a.AlbumID, a.ArtHash)+"/"+size+".jpg"); err != nil {
				t.Errorf("art of album %s in %s: %v", a.AlbumID, size, err)
			}
		}
	}
	return len(albums)
}
