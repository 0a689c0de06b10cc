package seed

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"stoa/internal/kit/fake"
	"stoa/social"
)

// written is a post with its comments and likes.
type written struct {
	post     social.Post
	comments []social.Comment
	likes    []social.Like
}

// loginPosts is the least number of posts of the first person, whom newcomers sign in as.
const loginPosts = 3 * meanPosts

// likable is stored with posts because clients take one without a choice for one that
// cannot be liked.
var likable = new(bool)

// posts returns all posts of person i, oldest first, with comments and likes by people who
// can see them.
func (n *network) posts(i int) []written {
	r := n.random(i, ofPosts)
	owner := n.people[i]
	count := heavyTailed(r, meanPosts)
	if i == 0 {
		count = max(count, loginPosts)
	}
	times := make([]time.Time, count)
	since := epoch.Sub(n.signedUpAt(i))
	for k := range times {
		times[k] = n.signedUpAt(i).Add(time.Duration(r.Int64N(int64(since)))).Truncate(time.Microsecond)
	}
	slices.SortFunc(times, time.Time.Compare)
	posts := make([]written, len(times))
	for k, at := range times {
		text, tags := n.compose(r, i, postSentences)
		w := written{post: social.Post{
			PostID: social.PostID(fake.UUID(r)), PostedByUserID: owner.id, Type: social.TextOnly, Status: social.PostCompleted,
			PostedAt: at, Text: text, TextTags: tags, LikesDisabled: likable,
		}}
		if r.IntN(3) == 0 {
			w.post.Keywords = []string{fake.Pick(r, topics)}
		}
		n.comment(r, i, &w)
		n.like(r, i, &w)
		posts[k] = w
	}
	return posts
}

// comment adds comments by readers and sometimes a reply by the owner, who has viewed none
// of them yet.
func (n *network) comment(r *rand.Rand, owner int, w *written) {
	readers := n.readers[owner]
	if len(readers) == 0 {
		return
	}
	at := w.post.PostedAt
	for range heavyTailed(r, 2) {
		author := int(fake.Pick(r, readers))
		if r.IntN(6) == 0 {
			author = owner
		}
		if at = n.later(r, at); !at.Before(epoch) {
			return
		}
		if at.Before(n.signedUpAt(author)) {
			continue
		}
		text, tags := n.compose(r, author, commentSentences)
		w.comments = append(w.comments, social.Comment{
			CommentID: social.CommentID(fake.UUID(r)), PostID: w.post.PostID, UserID: n.people[author].id,
			CommentedAt: at, Text: text, TextTags: tags,
		})
		w.post.CommentCount++
		if author != owner {
			w.post.CommentsUnviewedCount++
			w.post.UnviewedCommentAt = at
		}
	}
}

// like adds at most one like per reader.
func (n *network) like(r *rand.Rand, owner int, w *written) {
	readers := n.readers[owner]
	at := w.post.PostedAt
	for _, k := range r.Perm(len(readers))[:min(len(readers), heavyTailed(r, 4))] {
		if at = n.later(r, at); !at.Before(epoch) {
			return
		}
		if at.Before(n.signedUpAt(int(readers[k]))) {
			continue
		}
		like := social.Like{
			PostID: w.post.PostID, LikedByUserID: n.people[readers[k]].id, PostedByUserID: w.post.PostedByUserID,
			Status: social.OnymouslyLiked, LikedAt: at,
		}
		if r.IntN(4) == 0 {
			like.Status = social.AnonymouslyLiked
			w.post.AnonymousLikeCount++
		} else {
			w.post.OnymousLikeCount++
		}
		w.likes = append(w.likes, like)
	}
}

// later returns a time some minutes or hours after at.
func (n *network) later(r *rand.Rand, at time.Time) time.Time {
	return at.Add(time.Duration(heavyTailed(r, 90))*time.Minute + time.Duration(1+r.IntN(59_000_000))*time.Microsecond)
}

// compose returns a sentence by author and its mentions. People who follow nobody mention
// themselves.
func (n *network) compose(r *rand.Rand, author int, sentences []string) (string, []social.TextTag) {
	friend := author
	if follows := n.follows[author]; len(follows) > 0 {
		friend = int(fake.Pick(r, follows).to)
	}
	var tags []social.TextTag
	text := fill(fake.Pick(r, sentences), func(slot string) string {
		if slot != "friend" {
			return fake.Pick(r, slots[slot])
		}
		tag := social.TextTag{Tag: "@" + n.people[friend].username, UserID: n.people[friend].id}
		tags = append(tags, tag)
		return tag.Tag
	})
	return strings.ToUpper(text[:1]) + text[1:], tags
}

// fill replaces each {slot} of a sentence.
func fill(sentence string, with func(slot string) string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(sentence, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		b.WriteString(with(slot))
		sentence = after
	}
}
