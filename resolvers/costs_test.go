package resolvers_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/internal/apptest"
	"stoa/social"
	. "stoa/social/socialtest"
)

// priced is an operation in docs/costs.md. Ana asks for it.
type priced struct {
	name, query string
	// given prepares more than costsWorld does.
	given func(g Given) Given
}

// costsWorld is the world that each operation finds: ana follows ben and cleo, who have 30
// posts each; dan follows nobody. Post b0 has 22 comments, by three users.
func costsWorld() Given {
	g := Users("ana", "ben", "cleo", "dan").Follow("ana", "ben").Follow("ana", "cleo")
	for i := range 30 {
		g = g.Post("ben", fmt.Sprint("b", i)).Post("cleo", fmt.Sprint("c", i))
	}
	g = g.Like("ana", "b1").Album("ana", "anas")
	for i := range 22 {
		g = g.Comment([]string{"ana", "ben", "cleo"}[i%3], "b0", fmt.Sprint("comment", i))
	}
	return g
}

const feedOf = `{ self { feed(limit: %d) { items { postId text postedAt likeStatus viewedStatus onymousLikeCount commentsCount postedBy { userId username } } nextToken } } }`

var pricedQueries = []priced{
	{"self with counters", `{ self { userId username fullName bio followersCount followedsCount postCount } }`, nil},
	{"profile of another", `{ user(userId: "{ben}") { username bio followedStatus followerStatus blockedStatus followersCount postCount } }`, nil},
	{"profile with 20 posts", `{ user(userId: "{ben}") { username followedStatus posts(limit: 20) { items { postId text likeStatus viewedStatus } } } }`, nil},
	{"feed page of 10", fmt.Sprintf(feedOf, 10), nil},
	{"feed page of 20", fmt.Sprintf(feedOf, 20), nil},
	{"feed page of 50", fmt.Sprintf(feedOf, 50), nil},
	{"post", `{ post(postId: "b0") { postId text likeStatus commentsCount postedBy { userId username } } }`, nil},
	{"post with 20 comments", `{ post(postId: "b0") { postId text likeStatus commentsCount postedBy { userId username } ` +
		`comments(limit: 20) { items { commentId text commentedAt viewedStatus commentedBy { userId username } } } } }`, nil},
	{"followers, 20 at most", `{ user(userId: "{ben}") { followerUsers(limit: 20) { items { userId username followedStatus } } } }`, nil},
	{"albums with their posts", `{ self { albums { items { name postCount posts(limit: 20) { items { text } } } } } }`, nil},
	{"cards", `{ self { cards(limit: 20) { items { cardId title action } } } }`, nil},
	{"cards, one of which counts comments", `{ self { cards(limit: 20) { items { cardId title action } } } }`, func(g Given) Given {
		return withPost(g).Comment("ben", "mine", "new")
	}},
	{"search for users", `{ searchUsers(searchToken: "be") { items { username followedStatus } } }`, nil},
	{"list of chats", `{ self { chatCount chats(limit: 20) { items { chatId name lastMessageActivityAt } } } }`, withChat},
	{"chat with 20 messages", `{ chat(chatId: "chat") { chatId usersCount users { items { userId username } } ` +
		`messages(limit: 20, reverse: true) { items { messageId text viewedStatus author { userId username } } } } }`, withChat},
	{"stories of the followed", `{ self { followedUsersWithStories(limit: 20) { items { userId username stories(limit: 5) { items { postId } } } } } }`, func(g Given) Given {
		return g.Post("ben", "story", Lifetime("P1D"))
	}},
	{"trending posts", `{ trendingPosts(limit: 20) { items { postId text postedBy { userId username } } } }`, nil},
}

var pricedMutations = []priced{
	{"text post, no followers", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello") { postId text postedBy { username } } }`, nil},
	{"text post, ten followers", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello") { postId text postedBy { username } } }`, func(g Given) Given {
		for i := range 10 {
			name := fmt.Sprint("follower", i)
			g = g.Users(name).Follow(name, "ana")
		}
		return g
	}},
	{"text post that mentions two", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello @ben and @cleo") { postId text } }`, nil},
	{"text post into an album", `mutation { addPost(postId: "new", postType: TEXT_ONLY, text: "hello", albumId: "anas") { postId } }`, nil},
	{"edit of a post", `mutation { editPost(postId: "mine", text: "edited") { postId } }`, withPost},
	{"archiving a post", `mutation { archivePost(postId: "mine") { postId } }`, withPost},
	{"deleting a post", `mutation { deletePost(postId: "mine") { postId } }`, withPost},
	{"comment", `mutation { addComment(commentId: "new", postId: "b0", text: "hello") { commentId commentedBy { username } } }`, nil},
	{"first comment on a post", `mutation { addComment(commentId: "new", postId: "b2", text: "hello") { commentId } }`, nil},
	{"comment that mentions", `mutation { addComment(commentId: "new", postId: "b0", text: "hello @cleo") { commentId } }`, nil},
	{"deleting a comment", `mutation { deleteComment(commentId: "comment0") { commentId } }`, nil},
	{"like", `mutation { onymouslyLikePost(postId: "b0") { postId likeStatus } }`, nil},
	{"like of a post with new likes", `mutation { onymouslyLikePost(postId: "b0") { postId likeStatus } }`, func(g Given) Given { return g.Like("cleo", "b0") }},
	{"like of a post without comments", `mutation { onymouslyLikePost(postId: "b2") { postId likeStatus } }`, nil},
	{"dislike", `mutation { dislikePost(postId: "b1") { postId likeStatus } }`, nil},
	{"first view of a post", `mutation { reportPostViews(postIds: ["b2"]) }`, nil},
	{"second view of a post", `mutation { reportPostViews(postIds: ["b2"]) }`, func(g Given) Given { return g.ViewPost("ana", "b2") }},
	{"flag", `mutation { flagPost(postId: "b3") { postId } }`, nil},
	{"follow of a user without posts", `mutation { followUser(userId: "{dan}") { followedStatus followersCount } }`, nil},
	{"follow of a user with 30 posts", `mutation { followUser(userId: "{ben}") { followedStatus } }`, func(g Given) Given { return g.Unfollow("ana", "ben") }},
	{"unfollow", `mutation { unfollowUser(userId: "{ben}") { followedStatus } }`, nil},
	{"block of a stranger", `mutation { blockUser(userId: "{dan}") { userId } }`, nil},
	{"profile details", `mutation { setUserDetails(bio: "new") { userId bio } }`, nil},
	{"album", `mutation { addAlbum(albumId: "new", name: "new") { albumId } }`, nil},
	{"direct chat", `mutation { createDirectChat(userId: "{dan}", chatId: "c", messageId: "m", messageText: "hello") { chatId } }`, nil},
	{"group chat of three", `mutation { createGroupChat(userIds: ["{ben}", "{dan}"], chatId: "c", messageId: "m", messageText: "hello") { chatId } }`, nil},
	{"message to one", `mutation { addChatMessage(chatId: "chat", messageId: "new", text: "x") { messageId } }`, withChat},
	{"message to a group of 100", `mutation { addChatMessage(chatId: "all", messageId: "new", text: "x") { messageId } }`, withGroup(100)},
	{"message to a group of 900", `mutation { addChatMessage(chatId: "all", messageId: "new", text: "x") { messageId } }`, withGroup(900)},
	{"views of a chat", `mutation { reportChatViews(chatIds: ["chat"]) }`, withChat},
	{"contacts", `{ findContacts(contacts: [{contactId: "b", emails: ["ben@example.com"]}, {contactId: "c", emails: ["cleo@example.com"]}]) { user { username } } }`, nil},
	{"a bonus", `mutation { grantUserSubscriptionBonus { subscriptionLevel } }`, nil},
}

// crowded is a mutation that many users make at the same time.
type crowded struct {
	name  string
	query func(i int) string
}

// crowd is how many users make it, after those that make the post hot.
const crowd = 200

var crowdedMutations = []crowded{
	{name: "view of a post, by its first viewers", query: func(int) string { return `mutation { reportPostViews(postIds: ["b2"]) }` }},
	{name: "like of a post", query: func(int) string { return `mutation { onymouslyLikePost(postId: "b2") { postId likeStatus } }` }},
	{name: "comment on a post", query: func(i int) string {
		return fmt.Sprintf(`mutation { addComment(commentId: "hot%d", postId: "b2", text: "hello") { commentId } }`, i)
	}},
}

// mostWrites is what operations may cost at most, with their effects.
var mostWrites = map[string]float64{
	"message to a group of 100": 300,
	"message to a group of 900": 1500,
}

// mostTrips is the maximum number of round trips of a page, and of a page with pages in it.
const (
	mostTrips       = 4
	mostNestedTrips = 6
)

// nested are the queries for pages with pages in them.
var nested = map[string]bool{"stories of the followed": true}

// withGroup gives the caller a group with that many members.
func withGroup(members int) func(g Given) Given {
	return func(g Given) Given {
		with := make([]string, members-1)
		for i := range with {
			name := fmt.Sprint("member", i)
			g = g.Users(name)
			with[i] = `"{` + name + `}"`
		}
		return g.Does("ana", `mutation { createGroupChat(chatId: "all", userIds: [%s], messageId: "all0", messageText: "hello") { chatId } }`, strings.Join(with, ", "))
	}
}

func withPost(g Given) Given { return g.Post("ana", "mine") }

func withChat(g Given) Given {
	g = g.DirectChat("ana", "ben", "chat", "first")
	for i := range 20 {
		g = g.Say([]string{"ana", "ben"}[i%2], "chat", fmt.Sprint("said", i))
	}
	return g
}

const costsHead = `<!-- Generated from what the operations consume: go test ./resolvers -run Fresh -update -->

# What an operation costs at the store

Each operation is sent to a running process on tables that DynamoDB would bill by request. A change that makes an
operation more expensive changes this page.

- **Calls** are requests to the store. **Trips** are sequential round trips: calls made at the same time count as one
  trip, so trips times the latency of the store is the minimum duration of an operation.
- A **read unit** is a strongly consistent read of up to 4 KB, or two eventually consistent ones; in a transaction, a
  read takes two. A query is charged for the total size of the items that it reads, including those that a filter drops.
- A **write unit** is a write of up to 1 KB of an item; in a transaction, two. An index whose entry changes is written
  too: one unit if the entry is added, removed or keeps its key, two if it moves. A condition on an item that is not
  written is charged like a write.
- **Effects** are the receivers of an operation's events, most of which have run when the operation is answered, and
  the removal of the events. A process removes up to 25 events at a time, so the calls of the removal are not counted.
  [events.md](events.md) lists the receivers of each event.
- **By field** is the number of calls that a design would make with a resolver for each field that is not stored with its object,
  mapping fields to tables without batching: one for each field of the query type and, in each object of the
  response, one for each object that is a row of its own, each list, and each field about the viewer, such as
  ` + "`likeStatus`" + `. The objects of a page come with its list.

The caller's token, and data that the process already has in memory, cost nothing. The test data has four users, two of whom the
caller follows, with 30 posts each.

## Queries

| operation | calls | trips | read units | calls by field |
| --- | ---: | ---: | ---: | ---: |
`

const costsOfMutations = `
## Mutations

The last column is the sum of write units.

| operation | calls | trips | read units | write units | effects: calls | trips | read units | write units | all writes |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

const costsItemised = `
## What the units are for

| operation | units | of which |
| --- | ---: | --- |
| comment | 28 or 20 | comment 6, its author 4; post 6, a new card for the owner 8 and their number of cards 4, or post 8 (it moves among posts with unviewed comments) and card 2 |
| like | 28 or 18 | like 8, post 6 (4 without unviewed comments), liker 2; a new card for the owner 8 and their number of cards 4, or the present card 2 |
| text post | 18 | post 4, profile 4, trend 4, the author's feed 3, event 3 |
| follow | 14 or 17 | follow 6, both profiles 8; event 3 if the followed user has posts, and 3 for each of these, which is copied |
| first view | 28 | view 6, viewer 4, post 4, owner 4, trends 10 |
| message to a group of more than 45 | 1 for each member | number of unviewed messages; a smaller group takes 6, 4 of them for the place in the member's list of chats |

Rows and their indexes are those of the table design; a row in n indexes takes 2 + 2n units in a transaction. What remains to be saved are
the writes that make counters, cards and trends correct when the mutation is answered ([0044](adr/0044-what-a-mutation-costs.md)). For many likes, comments and
views at the same time, these are paid once.
`

const costsOfCrowds = `
## Hot posts

Actions of many users on one post at the same time are written together
([0040](adr/0040-hot-posts-are-written-together.md)). %d users send each mutation at once; the table shows the average cost of one, rounded up,
effects included. Which mutations are written together is a matter of chance, and so are the decimals.

| mutation | write units |
| --- | ---: |
`

// docs/costs.md shows what operations consume.
func TestCostsAreFresh(t *testing.T) {
	var text strings.Builder
	text.WriteString(costsHead)
	measure := func(p priced, show func(w *World, itself, effects apptest.Consumed, a apptest.Answer)) {
		apptest.Metered(t, System, func(w *World) {
			w.Do(costsWorld()...)
			if p.given != nil {
				w.Do(p.given(nil)...)
			}
			time.Sleep(5 * time.Second) // on the clock of the test: no post is hot anymore
			itself, effects, a := w.Measure("ana", p.query)
			show(w, itself, effects, a)
		}, Options()...)
	}
	for _, p := range pricedQueries {
		measure(p, func(w *World, c, effects apptest.Consumed, a apptest.Answer) {
			if c.Writes > 0 || effects != (apptest.Consumed{}) {
				t.Errorf("%s: a query that writes or has effects", p.name)
			}
			if c.Trips > mostTrips && !nested[p.name] || c.Trips > mostNestedTrips {
				t.Errorf("%s takes %d round trips", p.name, c.Trips)
			}
			fmt.Fprintf(&text, "| %s | %d | %d | %g | %d |\n", p.name, c.Calls, c.Trips, c.Reads, callsByField(w, p.query, a))
		})
	}
	text.WriteString(costsOfMutations)
	for _, p := range pricedMutations {
		measure(p, func(_ *World, c, effects apptest.Consumed, _ apptest.Answer) {
			fmt.Fprintf(&text, "| %s | %d | %d | %g | %g | %d | %d | %g | %g | %g |\n", p.name, c.Calls, c.Trips, c.Reads, c.Writes,
				effects.Calls, effects.Trips, effects.Reads, effects.Writes, c.Writes+effects.Writes)
			if most, ok := mostWrites[p.name]; ok && c.Writes+effects.Writes > most {
				t.Errorf("%s takes %g write units, want at most %g", p.name, c.Writes+effects.Writes, most)
			}
		})
	}
	text.WriteString(costsItemised)
	fmt.Fprintf(&text, costsOfCrowds, crowd)
	for _, c := range crowdedMutations {
		apptest.Metered(t, System, func(w *World) {
			w.Do(costsWorld()...)
			for i := range crowd {
				w.Do(Users(fmt.Sprint("user", i))...)
			}
			for i := range social.HotFrom {
				w.Do(Users(fmt.Sprint("early", i))...)
				w.Must(fmt.Sprint("early", i), c.query(crowd+i))
			}
			all := w.MeasureAll(crowd, func(i int) { w.Must(fmt.Sprint("user", i), c.query(i)) })
			fmt.Fprintf(&text, "| %s | %.0f |\n", c.name, math.Ceil(all.Writes/crowd))
		}, Options()...)
	}
	const file = "../docs/costs.md"
	if *update {
		if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(file); err != nil || string(committed) != text.String() {
		t.Errorf("%s is not what is consumed: run make generate (%v)\n%s", file, err, apptest.Difference("costs", string(committed), text.String()))
	}
}

// callsByField returns the number of calls of a design with a resolver per field; see
// costsHead.
func callsByField(w *World, query string, a apptest.Answer) int {
	w.T.Helper()
	schema := writtenSchema(w.T)
	document, errs := gqlparser.LoadQuery(schema, w.People.Fill(query))
	if errs != nil {
		w.T.Fatal(errs)
	}
	var data any
	if err := json.Unmarshal(a.Data, &data); err != nil {
		w.T.Fatal(err)
	}
	var count func(data any, of ast.SelectionSet) int
	count = func(data any, of ast.SelectionSet) int {
		n := 0
		switch data := data.(type) {
		case []any:
			for _, item := range data {
				n += count(item, of)
			}
		case map[string]any:
			for _, s := range of {
				f := s.(*ast.Field)
				if resolvedAlone(schema, f) {
					n++
				}
				n += count(data[f.Alias], f.SelectionSet)
			}
		}
		return n
	}
	return count(data, document.Operations[0].SelectionSet)
}

// writtenSchema returns the schema as it is written, with directives that are not served.
func writtenSchema(t testing.TB) *ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../graph/schema/*.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// resolvedAlone reports whether a field is not stored with its object. An object that is a
// row of its own starts with its id.
func resolvedAlone(schema *ast.Schema, f *ast.Field) bool {
	d := f.Definition
	if strings.HasPrefix(f.ObjectDefinition.Name, "Paginated") {
		return false
	}
	if f.ObjectDefinition == schema.Query || d.Directives.ForName("goField") != nil || d.Directives.ForName("reads") != nil {
		return true
	}
	of := schema.Types[d.Type.Name()]
	return of.Kind == ast.Object && of.Fields[0].Type.Name() == "ID"
}
