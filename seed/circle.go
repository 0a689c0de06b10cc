package seed

import (
	"math/rand/v2"
	"time"

	"stoa/internal/kit/fake"
	"stoa/social"
)

const (
	// loginChats is the number of direct chats of the first person, and inGroup the number of
	// others in their group chat.
	loginChats = 4
	inGroup    = 3
)

// surround gives the first person, whom newcomers sign in as, chats with people who follow
// them or whom they follow, and the cards that these and follow requests cause.
func (w *writer) surround() {
	r := w.random(0, ofChats)
	friends := w.friends(r)
	at := w.now.Add(-time.Hour).Truncate(time.Microsecond)
	for _, friend := range friends[:min(loginChats, len(friends))] {
		w.talk(r, "", []int{friend, 0}, at)
		at = at.Add(5 * time.Minute)
	}
	if len(friends) >= inGroup {
		w.talk(r, fake.Pick(r, groupNames), append([]int{0}, friends[len(friends)-inGroup:]...), at)
	}
	for _, p := range w.people {
		if n := w.tallies[p.id].unviewedChats; n > 0 {
			w.card(w.catalogue.ChatActivity(p.id, n))
		}
	}
	if n := w.requests[0]; n > 0 {
		w.card(w.catalogue.RequestedFollowers(w.people[0].id, n))
	}
}

// friends returns the people whom the first person follows or who follow them, in random
// order.
func (w *writer) friends(r *rand.Rand) (friends []int) {
	known := map[int]bool{}
	for _, reader := range w.readers[0] {
		known[int(reader)] = true
	}
	for _, f := range w.follows[0] {
		if f.status == social.Following {
			known[int(f.to)] = true
		}
	}
	for _, i := range r.Perm(len(w.people)) {
		if known[i] {
			friends = append(friends, i)
		}
	}
	return friends
}

// talk adds a chat that the first of some people starts at the given time: a group if it
// has a name. Everybody has viewed it when they last wrote.
func (w *writer) talk(r *rand.Rand, name string, people []int, at time.Time) {
	id := func(k int) social.UserID { return w.people[people[k]].id }
	chat := social.Chat{ChatID: social.ChatID(fake.UUID(r)), Type: social.ChatDirect, CreatedByUserID: id(0), CreatedAt: at}
	if name == "" {
		chat.Pair = social.PairOf(id(0), id(1))
	} else {
		chat.Type, chat.Name = social.ChatGroup, name
	}
	step := social.NewChat(chat)
	viewedAt := map[social.UserID]time.Time{}
	say := func(author social.UserID, text string, tags []social.TextTag) {
		at = at.Add(time.Duration(1+r.IntN(30_000_000)) * time.Microsecond)
		step.Say(social.ChatMessage{MessageID: social.ChatMessageID(fake.UUID(r)), UserID: author, CreatedAt: at, Text: text, TextTags: tags})
		if author == "" {
			return
		}
		step.Member(author).MessagesUnviewedCount, viewedAt[author] = 0, at
		w.tallies[author].messages++
	}
	for k := range people {
		step.Join(id(k), at)
	}
	if name != "" {
		creator := w.people[people[0]].username
		text := social.GroupCreatedText(creator, name)
		say("", text, []social.TextTag{{Tag: "@" + creator, UserID: id(0)}})
	}
	for n := range 3 + r.IntN(4) {
		text, tags := w.compose(r, people[0], chatSentences)
		say(id(n%len(people)), text, tags)
	}
	w.fill.Chat(step)
	for k := range people {
		member, t := step.Member(id(k)), w.tallies[id(k)]
		t.chats++
		if member.MessagesUnviewedCount > 0 {
			t.unviewedChats++
		}
		if last, ok := viewedAt[id(k)]; ok {
			w.fill.ChatView(social.ChatView{ChatID: chat.ChatID, UserID: id(k), FirstViewedAt: last})
		}
	}
	w.result.Chats++
}

// remind adds the cards about new comments on posts of the first person.
func (w *writer) remind(posts []written) {
	for _, p := range posts {
		if n := p.post.CommentsUnviewedCount; n > 0 {
			w.card(w.catalogue.CommentActivity(p.post.PostedByUserID, p.post.PostID, n))
		}
	}
}

// card adds a card, of which nobody gets a push notification.
func (w *writer) card(n social.NewCard) {
	w.result.Cards++ // each is created a little later than the one before, which sorts them
	c := n.At(w.now.Add(time.Duration(w.result.Cards-1_000_000) * time.Microsecond).Truncate(time.Microsecond))
	c.NotifyUserAt = time.Time{}
	w.fill.Card(c)
	w.tallies[c.UserID].cards++
}
