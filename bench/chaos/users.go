package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"stoa/bench/cluster"
	"stoa/bench/load"
)

const (
	// patience is how long users wait for an answer.
	patience = 8 * time.Second
	// attempts is how often a request with a key is sent.
	attempts = 8
)

// live makes a user do random things until ctx is done.
func (c *chaos) live(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(*seed, uint64(i)+1))
	u := c.model.users[i]
	for pause(ctx, between(random, 200*time.Millisecond, 800*time.Millisecond)) {
		c.act(ctx, random, u)
	}
}

// act does one thing, and notes what is known of it afterwards. Each fact is changed by one user,
// one thing after the other.
func (c *chaos) act(ctx context.Context, random *rand.Rand, u *user) {
	other := c.model.users[random.IntN(len(c.model.users))]
	for other == u {
		other = c.model.users[random.IntN(len(c.model.users))]
	}
	switch n := random.IntN(100); {
	case n < 15:
		f := u.follows.of(other.name())
		const follow, unfollow = `mutation($id: ID!) { followUser(userId: $id) { userId } }`, `mutation($id: ID!) { unfollowUser(userId: $id) { userId } }`
		c.flip(ctx, random, u, f, follow, unfollow, map[string]any{"id": other.ID})
	case n < 40:
		id := uuid.NewString()
		const add = `mutation($id: ID!) { addPost(postId: $id, postType: TEXT_ONLY, text: "hello") { postId } }`
		c.model.posted(u, id)
		c.do(ctx, random, u, u.posts.of(id), present, add, map[string]any{"id": id})
	case n < 45:
		if id, ok := anyOf(random, u.posts, present); ok {
			const remove = `mutation($id: ID!) { deletePost(postId: $id) { postId } }`
			c.do(ctx, random, u, u.posts.of(id), absent, remove, map[string]any{"id": id})
		}
	case n < 60:
		if post, ok := c.model.somePost(random); ok {
			const like, dislike = `mutation($id: ID!) { onymouslyLikePost(postId: $id) { postId } }`, `mutation($id: ID!) { dislikePost(postId: $id) { postId } }`
			c.flip(ctx, random, u, u.likes.of(post), like, dislike, map[string]any{"id": post})
		}
	case n < 72:
		if post, ok := c.model.somePost(random); ok {
			id := uuid.NewString()
			const add = `mutation($id: ID!, $post: ID!) { addComment(commentId: $id, postId: $post, text: "hm") { commentId } }`
			u.commented[id] = post
			c.do(ctx, random, u, u.comments.of(id), present, add, map[string]any{"id": id, "post": post})
		}
	case n < 75:
		if id, ok := anyOf(random, u.comments, present); ok {
			const remove = `mutation($id: ID!) { deleteComment(commentId: $id) { commentId } }`
			c.do(ctx, random, u, u.comments.of(id), absent, remove, map[string]any{"id": id})
		}
	default:
		id := uuid.NewString()
		m := &message{id: id, number: len(u.sent), sent: time.Now()}
		u.sent = append(u.sent, m)
		const add = `mutation($chat: ID!, $id: ID!, $text: String!) { addChatMessage(chatId: $chat, messageId: $id, text: $text) { messageId } }`
		vars := map[string]any{"chat": u.chat, "id": id, "text": fmt.Sprint(m.number)}
		m.by = c.do(ctx, random, u, u.messages.of(id), present, add, vars)
		m.told = time.Now()
	}
}

// flip does the opposite of what is known.
func (c *chaos) flip(ctx context.Context, random *rand.Rand, u *user, f *fact, do, undo string, variables map[string]any) {
	if f.open {
		return
	}
	if f.is == absent || f.is == unknown && random.IntN(2) == 0 {
		c.do(ctx, random, u, f, present, do, variables)
	} else {
		c.do(ctx, random, u, f, absent, undo, variables)
	}
}

// do sends a mutation that brings about something. A request with a key is repeated until it is
// answered, by another process if need be. Without an answer, nobody knows whether it was done.
// It returns the name of the process that has done it with the first request, or "".
func (c *chaos) do(ctx context.Context, random *rand.Rand, u *user, f *fact, to state, mutation string, variables map[string]any) (by string) {
	c.model.note(f, unknown)
	q := cluster.Request{As: u.Person, Query: mutation, Variables: variables}
	tries := 1
	if random.IntN(2) == 0 {
		q.Key, tries = uuid.NewString(), attempts
	}
	for try := range tries {
		p := c.some(random)
		// The end of the faults does not end requests.
		asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		err := p.Ask(asking, q, nil)
		cancel()
		var refusal *load.Refusal
		switch {
		case err == nil:
			c.count("done")
			if try > 0 {
				c.count("done at last")
			} else {
				by = p.Name
			}
			c.model.note(f, to)
			return by
		case errors.As(err, &refusal) && refusal.Code == "ALREADY_DONE":
			c.count("already done")
			c.model.note(f, to)
			return ""
		case cluster.Decided(err):
			c.count("refused")
			f.open = try > 0
			return ""
		}
		c.count("unanswered")
		time.Sleep(between(random, 50*time.Millisecond, 500*time.Millisecond))
	}
	f.open = true
	return ""
}

// anyOf returns one of the facts that are in a state.
func anyOf(random *rand.Rand, all facts, is state) (string, bool) {
	var names []string
	for name, f := range all {
		if f.is == is {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	slices.Sort(names)
	return names[random.IntN(len(names))], true
}

// openChats opens a chat for each pair of users.
func (c *chaos) openChats(ctx context.Context) error {
	const open = `mutation($id: ID!, $user: ID!, $message: ID!) {
		createDirectChat(chatId: $id, userId: $user, messageId: $message, messageText: "hi") { chatId }
	}`
	for i := 0; i < len(c.model.users); i += 2 {
		a, b := c.model.users[i], c.model.users[i+1]
		a.chat = uuid.NewString()
		b.chat = a.chat
		q := cluster.Request{As: a.Person, Query: open, Variables: map[string]any{"id": a.chat, "user": b.ID, "message": uuid.NewString()}}
		if err := c.all()[0].Ask(ctx, q, nil); err != nil {
			return fmt.Errorf("open a chat: %w", err)
		}
	}
	return nil
}
