package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stoa/bench/cluster"
)

// compare reads what users see and compares it with what they have been told. What is unknown is
// taken as it is.
func (c *chaos) compare(ctx context.Context) error {
	w := &comparison{ctx: ctx, chaos: c}
	at := c.all()
	for i, u := range c.model.users {
		w.reader = at[i%len(at)]
		w.own(u)
	}
	for i, u := range c.model.users {
		w.reader = at[i%len(at)]
		w.counters(u)
		w.feed(u)
		w.chat(u)
	}
	w.reader = at[0]
	w.posts()
	if len(w.wrong) == 0 {
		return nil
	}
	const shown = 20
	return fmt.Errorf("%d differences:\n  %s", len(w.wrong), strings.Join(w.wrong[:min(shown, len(w.wrong))], "\n  "))
}

// comparison reads at one process at a time, and collects what is wrong.
type comparison struct {
	*chaos
	ctx    context.Context
	reader *cluster.Process
	wrong  []string
}

func (w *comparison) say(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *comparison) ask(u *user, query string, variables map[string]any, data any) {
	if err := w.reader.Ask(w.ctx, cluster.Request{As: u.Person, Query: query, Variables: variables}, data); err != nil {
		w.say("%s cannot read: %v", u.Name, err)
	}
}

// list is a page of ids.
type list struct {
	Items     []item
	NextToken *string
}

type item struct {
	UserID, PostID, MessageID, CommentID string
	PostedAt                             time.Time
}

// pages reads all pages of a list that a query with $token returns.
func pages(w *comparison, u *user, query string, variables map[string]any, pick func(data map[string]map[string]list) list) (all []item) {
	if variables == nil {
		variables = map[string]any{}
	}
	for {
		var data map[string]map[string]list
		w.ask(u, query, variables, &data)
		p := pick(data)
		all = append(all, p.Items...)
		if p.NextToken == nil {
			return all
		}
		variables["token"] = *p.NextToken
	}
}

func field(root, name string) func(map[string]map[string]list) list {
	return func(data map[string]map[string]list) list { return data[root][name] }
}

// is compares facts with what is there, and learns what is unknown.
func (w *comparison) is(u *user, what string, all facts, there map[string]bool) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		switch {
		case f.is == unknown:
		case f.is == present && !there[name]:
			w.say("%s of %s is lost: %s", what, u.Name, name)
		case f.is == absent && there[name]:
			w.say("%s of %s is back: %s", what, u.Name, name)
		}
		if f.is = absent; there[name] {
			f.is = present
		}
		delete(there, name)
	}
	for name := range there {
		w.say("%s of %s comes from nowhere: %s", what, u.Name, name)
	}
}

func setOf(all []item, id func(item) string) map[string]bool {
	there := map[string]bool{}
	for _, i := range all {
		there[id(i)] = true
	}
	return there
}

func userID(i item) string    { return i.UserID }
func postID(i item) string    { return i.PostID }
func messageID(i item) string { return i.MessageID }

// own compares what a user has done.
func (w *comparison) own(u *user) {
	w.is(u, "a follow", u.follows, setOf(pages(w, u,
		`query($token: String) { self { followedUsers(limit: 100, nextToken: $token) { items { userId } nextToken } } }`, nil,
		field("self", "followedUsers")), userID))
	w.is(u, "a post", u.posts, setOf(pages(w, u,
		`query($token: String) { self { posts(limit: 100, nextToken: $token) { items { postId } nextToken } } }`, nil, field("self", "posts")), postID))
}

// counters compares the counters of a user.
func (w *comparison) counters(u *user) {
	followers, followed, posts := 0, 0, 0
	for _, other := range w.model.users {
		if f := other.follows[u.name()]; f != nil && f.is == present {
			followers++
		}
	}
	for _, f := range u.follows {
		if f.is == present {
			followed++
		}
	}
	for _, f := range u.posts {
		if f.is == present {
			posts++
		}
	}
	var data struct {
		Self struct{ FollowersCount, FollowedsCount, PostCount int }
	}
	w.ask(u, `{ self { followersCount followedsCount postCount } }`, nil, &data)
	if s := data.Self; s.FollowersCount != followers || s.FollowedsCount != followed || s.PostCount != posts {
		w.say("counters of %s: %+v, want %d, %d, %d", u.Name, s, followers, followed, posts)
	}
}

// feed compares a feed with the posts of a user and of those whom the user follows.
func (w *comparison) feed(u *user) {
	const query = `query($token: String) { self { feed(limit: 100, nextToken: $token) { items { postId postedAt } nextToken } } }`
	feed := pages(w, u, query, nil, field("self", "feed"))
	want := map[string]bool{}
	for _, other := range w.model.users {
		if f := u.follows[other.name()]; other != u && (f == nil || f.is != present) {
			continue
		}
		for id, f := range other.posts {
			if f.is == present {
				want[id] = true
			}
		}
	}
	if sorted := slices.IsSortedFunc(feed, func(a, b item) int { return b.PostedAt.Compare(a.PostedAt) }); !sorted {
		w.say("the feed of %s is out of order", u.Name)
	}
	seen := map[string]bool{}
	for _, i := range feed {
		switch {
		case seen[i.PostID]:
			w.say("the feed of %s has a post twice: %s", u.Name, i.PostID)
		case !want[i.PostID]:
			w.say("the feed of %s has a post that should not be there: %s", u.Name, i.PostID)
		}
		seen[i.PostID] = true
	}
	for id := range want {
		if !seen[id] {
			w.say("the feed of %s lacks a post: %s", u.Name, id)
		}
	}
}

// chat compares the messages of a user's chat.
func (w *comparison) chat(u *user) {
	i := slices.Index(w.model.users, u)
	other := w.model.users[i^1]
	if i%2 == 1 {
		return
	}
	all := pages(w, u, `query($chat: ID!, $token: String) { chat(chatId: $chat) { messages(limit: 100, nextToken: $token) { items { messageId } nextToken } } }`,
		map[string]any{"chat": u.chat}, field("chat", "messages"))
	both := facts{}
	maps.Copy(both, u.messages)
	maps.Copy(both, other.messages)
	there := setOf(all, messageID)
	for id := range there {
		if both[id] == nil {
			delete(there, id) // the one that opened the chat
		}
	}
	w.is(u, "a message in the chat", both, there)
	var data struct{ Chat struct{ MessagesCount int } }
	w.ask(u, `query($chat: ID!) { chat(chatId: $chat) { messagesCount } }`, map[string]any{"chat": u.chat}, &data)
	if data.Chat.MessagesCount != len(all) {
		w.say("the chat of %s counts %d messages and has %d", u.Name, data.Chat.MessagesCount, len(all))
	}
}

// posts compares the likes and comments of posts, and their counters.
func (w *comparison) posts() {
	for _, owner := range w.model.users {
		for id, f := range owner.posts {
			if f.is == present {
				w.post(owner, id)
			}
		}
	}
}

func (w *comparison) post(owner *user, id string) {
	var data struct {
		Post *struct {
			OnymousLikeCount, CommentsCount int
			OnymouslyLikedBy, Comments      list
		}
	}
	w.ask(owner, `query($id: ID!) { post(postId: $id) { onymousLikeCount commentsCount
		onymouslyLikedBy(limit: 100) { items { userId } } comments(limit: 100) { items { commentId } nextToken } } }`, map[string]any{"id": id}, &data)
	p := data.Post
	if p == nil {
		w.say("the post %s cannot be read", id)
		return
	}
	likes, comments := setOf(p.OnymouslyLikedBy.Items, userID), setOf(p.Comments.Items, func(i item) string { return i.CommentID })
	if p.OnymousLikeCount != len(likes) {
		w.say("the post %s counts %d likes and has %d", id, p.OnymousLikeCount, len(likes))
	}
	if p.Comments.NextToken == nil && p.CommentsCount != len(comments) {
		w.say("the post %s counts %d comments and has %d", id, p.CommentsCount, len(comments))
	}
	for _, u := range w.model.users {
		if f := u.likes[id]; f != nil {
			w.is(u, "a like", facts{u.name(): f}, map[string]bool{u.name(): likes[u.name()]})
		}
		for comment, of := range u.commented {
			if of != id || p.Comments.NextToken != nil {
				continue
			}
			w.is(u, "a comment", facts{comment: u.comments.of(comment)}, map[string]bool{comment: comments[comment]})
			delete(comments, comment)
		}
	}
	if p.Comments.NextToken == nil && len(comments) > 0 {
		w.say("comments of %s come from nowhere: %v", id, slices.Sorted(maps.Keys(comments)))
	}
}
