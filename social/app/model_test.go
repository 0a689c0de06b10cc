package app_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// model is what the service should be: plain maps and loops, written after the rules
// and not after the code. It counts by counting, and reads lists by looking at
// everything.
type model struct {
	users    map[string]*person // by id
	follows  map[pair]*follow   // from the follower to the followed
	blocks   map[pair]bool      // from the blocker to the blocked
	posts    map[string]*post
	likes    map[liked]*like
	comments map[string]*comment

	// late is what follows from changes with the delivery of their events, after the answer
	// was decided and before the next act.
	late []func()
	// going are the comments that wait for such a delivery: they show no more, but
	// their ids are in use.
	going map[string]bool
}

type (
	person struct {
		id, username, fullName, displayName, bio, language, theme, privacy, status string
		signedUpAt                                                                 time.Time
		// chosen holds the switches that were ever set.
		chosen map[string]bool
	}
	pair   struct{ from, to string }
	follow struct {
		status string
		at     time.Time
	}
	post struct {
		id, owner, text string
		at              time.Time
		tags            []tag
		keywords        []string
		chosen          map[string]bool
	}
	tag   struct{ text, user string }
	liked struct{ post, by string }
	like  struct {
		status string
		at     time.Time
	}
	comment struct {
		id, post, by, text string
		at                 time.Time
		tags               []tag
	}
)

var postSwitches = []string{"commentsDisabled", "likesDisabled", "sharingDisabled", "verificationHidden"}

func newModel() *model {
	return &model{
		users: map[string]*person{}, follows: map[pair]*follow{}, blocks: map[pair]bool{}, posts: map[string]*post{},
		likes: map[liked]*like{}, comments: map[string]*comment{}, going: map[string]bool{},
	}
}

// do makes a mutation at a time. It answers with what its caller is shown, or with the
// text of a refusal that changed nothing.
func (m *model) do(a act, at time.Time) (shown, string) {
	me := m.users[a.by]
	if a.do == "createCognitoOnlyUser" {
		return m.create(a, at)
	}
	if me == nil {
		return nil, fmt.Sprintf("User `%s` does not exist", a.by)
	}
	if me.status != "ACTIVE" {
		return nil, fmt.Sprintf("User `%s` is not ACTIVE", a.by)
	}
	switch a.do {
	case "setUserDetails":
		return m.setDetails(a, me)
	case "followUser":
		return m.follow(a, at)
	case "unfollowUser":
		return m.unfollow(a)
	case "acceptFollowerUser":
		return m.answer(a, "FOLLOWING")
	case "denyFollowerUser":
		return m.answer(a, "DENIED")
	case "addPost":
		return m.addPost(a, me, at)
	case "editPost":
		return m.editPost(a)
	case "deletePost":
		return m.deletePost(a)
	case "onymouslyLikePost":
		return m.like(a, me, "ONYMOUSLY_LIKED", at)
	case "anonymouslyLikePost":
		return m.like(a, me, "ANONYMOUSLY_LIKED", at)
	case "dislikePost":
		return m.dislike(a)
	case "addComment":
		return m.addComment(a, at)
	case "deleteComment":
		return m.deleteComment(a)
	default:
		panic("the model knows no " + a.do)
	}
}

// settle is what the delivery of all events brings about.
func (m *model) settle() {
	for len(m.late) > 0 {
		next := m.late[0]
		m.late = m.late[1:]
		next()
	}
	clear(m.going)
}

// Profiles.

var usernameForm = regexp.MustCompile(`^[a-zA-Z0-9_.]{3,30}$`)

func (m *model) create(a act, at time.Time) (shown, string) {
	name := a.text("username")
	switch refusal := wrongName(name); {
	case refusal != "":
		return nil, refusal
	case m.users[a.by] != nil:
		return nil, fmt.Sprintf("User `%s` already exists", a.by)
	case m.holder(name) != nil:
		return nil, fmt.Sprintf("Username `%s` already taken (case-insensitive comparison)", name)
	}
	u := &person{
		id: a.by, username: name, fullName: a.text("fullName"), privacy: "PUBLIC", status: "ACTIVE",
		signedUpAt: at, chosen: map[string]bool{},
	}
	m.users[u.id] = u
	if r := m.holder("real"); r != nil && r.username == "real" && r != u && r.status == "ACTIVE" && !m.apart(u.id, r.id) {
		m.ask(u.id, r, at)
	}
	return m.user(u.id, u.id), ""
}

func wrongName(name string) string {
	switch {
	case name == "":
		return "Empty username"
	case !usernameForm.MatchString(name):
		return fmt.Sprintf("Username `%s` does not validate", name)
	default:
		return ""
	}
}

// holder is who has a name, in whatever case.
func (m *model) holder(name string) *person {
	for _, u := range m.users {
		if strings.EqualFold(u.username, name) {
			return u
		}
	}
	return nil
}

func (m *model) setDetails(a act, me *person) (shown, string) {
	if len(a.args) == 0 {
		return nil, "Called without any arguments... probably not what you intended?"
	}
	if a.has("username") {
		name := a.text("username")
		if refusal := wrongName(name); refusal != "" {
			return nil, refusal
		}
		if h := m.holder(name); h != nil && h != me {
			return nil, fmt.Sprintf("Username `%s` already taken (case-insensitive cmp)", name)
		}
		me.username = name
	}
	for name, field := range map[string]*string{
		"fullName": &me.fullName, "displayName": &me.displayName, "bio": &me.bio, "languageCode": &me.language, "themeCode": &me.theme,
	} {
		if a.has(name) {
			*field = a.text(name)
		}
	}
	a.choices(me.chosen, append([]string{"followCountsHidden", "viewCountsHidden"}, postSwitches...))
	if a.has("privacyStatus") {
		was := me.privacy
		me.privacy = a.text("privacyStatus")
		if was == "PRIVATE" && me.privacy == "PUBLIC" {
			m.open(me)
		}
	}
	return m.user(me.id, me.id), ""
}

// open answers everybody who waits for a user, or was denied, when that user goes public.
func (m *model) open(u *person) {
	for p, f := range m.follows {
		switch {
		case p.to != u.id:
		case f.status == "REQUESTED":
			m.move(p, "FOLLOWING")
		case f.status == "DENIED":
			m.move(p, "NOT_FOLLOWING")
		}
	}
}

// Follows.

func (m *model) status(follower, followed string) string {
	if f := m.follows[pair{follower, followed}]; f != nil {
		return f.status
	}
	return "NOT_FOLLOWING"
}

// move gives a follow another status. Later, likes go with a denial and with the end
// of a follow of a private user, unless that is over by then.
func (m *model) move(p pair, to string) {
	if to == "NOT_FOLLOWING" {
		delete(m.follows, p)
	} else {
		m.follows[p].status = to
	}
	m.late = append(m.late, func() {
		now := m.status(p.from, p.to)
		ended := to == "NOT_FOLLOWING" && now != "FOLLOWING" && m.users[p.to].privacy == "PRIVATE"
		if now != "DENIED" && !ended {
			return
		}
		for l := range m.likes {
			if l.by == p.from && m.posts[l.post].owner == p.to {
				delete(m.likes, l)
			}
		}
	})
}

// ask makes a follow of somebody who can be followed.
func (m *model) ask(follower string, followed *person, at time.Time) {
	status := "FOLLOWING"
	if followed.privacy == "PRIVATE" {
		status = "REQUESTED"
	}
	m.follows[pair{follower, followed.id}] = &follow{status, at}
}

// apart reports whether one of two users blocks the other.
func (m *model) apart(a, b string) bool { return m.blocks[pair{a, b}] || m.blocks[pair{b, a}] }

func (m *model) follow(a act, at time.Time) (shown, string) {
	id := a.text("userId")
	u := m.users[id]
	switch {
	case id == a.by:
		return nil, "User cannot follow themselves"
	case u == nil:
		return nil, fmt.Sprintf("No user profile found for followed `%s`", id)
	case u.status != "ACTIVE":
		return nil, fmt.Sprintf("Cannot follow user with status `%s`", u.status)
	case m.status(a.by, id) != "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `%s` already is or has requested to follow user `%s`", a.by, id)
	case m.blocks[pair{id, a.by}]:
		return nil, fmt.Sprintf("User has been blocked by user `%s`", id)
	case m.blocks[pair{a.by, id}]:
		return nil, fmt.Sprintf("User has blocked user `%s`", id)
	}
	m.ask(a.by, u, at)
	return m.user(a.by, id), ""
}

func (m *model) unfollow(a act) (shown, string) {
	id := a.text("userId")
	switch m.status(a.by, id) {
	case "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `%s` is not following `%s`", a.by, id)
	case "DENIED":
		return nil, fmt.Sprintf("User `%s` already follows user `%s` with status `DENIED`", a.by, id)
	}
	m.move(pair{a.by, id}, "NOT_FOLLOWING")
	return m.user(a.by, id), ""
}

func (m *model) answer(a act, to string) (shown, string) {
	id := a.text("userId")
	switch m.status(id, a.by) {
	case "NOT_FOLLOWING":
		return nil, fmt.Sprintf("User `%s` has not requested to follow user `%s`", id, a.by)
	case to:
		return nil, fmt.Sprintf("User `%s` already follows user `%s` with status `%s`", id, a.by, to)
	}
	m.move(pair{id, a.by}, to)
	return m.user(a.by, id), ""
}

// sees reports whether a user sees what another publishes.
func (m *model) sees(viewer, owner string) bool {
	return viewer == owner || !m.blocks[pair{owner, viewer}] &&
		(m.users[owner].privacy == "PUBLIC" || m.status(viewer, owner) == "FOLLOWING")
}

// Posts.

func (m *model) addPost(a act, me *person, at time.Time) (shown, string) {
	id := a.text("postId")
	switch {
	case a.text("text") == "":
		return nil, "Cannot add text-only post without text"
	case m.posts[id] != nil:
		return nil, fmt.Sprintf("Post `%s` duplicated", id)
	}
	p := &post{id: id, owner: me.id, text: a.text("text"), at: at, keywords: a.words("keywords"), chosen: map[string]bool{}}
	p.tags = m.tags(p.text)
	for _, name := range postSwitches {
		if on, ok := me.chosen[name]; ok {
			p.chosen[name] = on
		}
	}
	a.choices(p.chosen, postSwitches)
	m.posts[id] = p
	return m.fullPost(me.id, p), ""
}

func (m *model) editPost(a act) (shown, string) {
	p, refusal := m.mine(a, "edit")
	switch {
	case refusal != "":
		return nil, refusal
	case len(a.args) == 1:
		return nil, "Empty edit requested"
	case a.has("text") && a.text("text") == "":
		return nil, "Cannot set text to null on text-only post"
	}
	if a.has("text") {
		p.text, p.tags = a.text("text"), m.tags(a.text("text"))
	}
	if a.has("keywords") {
		p.keywords = a.words("keywords")
	}
	a.choices(p.chosen, postSwitches)
	return m.fullPost(a.by, p), ""
}

func (m *model) deletePost(a act) (shown, string) {
	p, refusal := m.mine(a, "delete")
	if refusal != "" {
		return nil, refusal
	}
	last := m.post(a.by, p)
	last["postStatus"] = "DELETING"
	delete(m.posts, p.id)
	for l := range m.likes {
		if l.post == p.id {
			delete(m.likes, l)
		}
	}
	for _, c := range m.comments {
		if c.post == p.id {
			delete(m.comments, c.id)
			m.going[c.id] = true
		}
	}
	return last, ""
}

func (m *model) mine(a act, verb string) (*post, string) {
	p := m.posts[a.text("postId")]
	switch {
	case p == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", a.text("postId"))
	case p.owner != a.by:
		return nil, fmt.Sprintf("Cannot %s another User's post", verb)
	}
	return p, ""
}

var mentionForm = regexp.MustCompile(`@[a-zA-Z0-9_.]{3,30}`)

// tags are the mentions in a text of somebody's present name, each once.
func (m *model) tags(text string) []tag {
	var tags []tag
	for _, mention := range mentionForm.FindAllString(text, -1) {
		for _, u := range m.users {
			if found := (tag{mention, u.id}); "@"+u.username == mention && !slices.Contains(tags, found) {
				tags = append(tags, found)
			}
		}
	}
	return tags
}

// Likes.

func (m *model) like(a act, me *person, status string, at time.Time) (shown, string) {
	id := a.text("postId")
	p := m.posts[id]
	if p == nil {
		return nil, fmt.Sprintf("Post `%s` does not exist", id)
	}
	owner := m.users[p.owner]
	switch {
	case m.blocks[pair{owner.id, me.id}]:
		return nil, fmt.Sprintf("User has been blocked by owner of post `%s`", id)
	case m.blocks[pair{me.id, owner.id}]:
		return nil, fmt.Sprintf("User has blocked owner of post `%s`", id)
	case !m.sees(me.id, owner.id):
		return nil, fmt.Sprintf("User does not have access to post `%s`", id)
	case p.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Likes are disabled for this post `%s`", id)
	case owner.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Owner of this post (user `%s` has disabled likes", owner.id)
	case me.chosen["likesDisabled"]:
		return nil, fmt.Sprintf("Caller `%s` has disabled likes", me.id)
	case m.likes[liked{id, me.id}] != nil:
		return nil, fmt.Sprintf("User `%s` has already liked post `%s`", me.id, id)
	}
	m.likes[liked{id, me.id}] = &like{status, at}
	return m.fullPost(me.id, p), ""
}

func (m *model) dislike(a act) (shown, string) {
	id := a.text("postId")
	switch {
	case m.posts[id] == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", id)
	case m.likes[liked{id, a.by}] == nil:
		return nil, fmt.Sprintf("User has not liked post `%s`, thus cannot dislike it", id)
	}
	delete(m.likes, liked{id, a.by})
	return m.fullPost(a.by, m.posts[id]), ""
}

// Comments.

func (m *model) addComment(a act, at time.Time) (shown, string) {
	id, on := a.text("commentId"), a.text("postId")
	p := m.posts[on]
	switch {
	case p == nil:
		return nil, fmt.Sprintf("Post `%s` does not exist", on)
	case p.chosen["commentsDisabled"]:
		return nil, fmt.Sprintf("Comments are disabled on post `%s`", on)
	case m.blocks[pair{p.owner, a.by}]:
		return nil, fmt.Sprintf("Post owner `%s` has blocked user `%s`", p.owner, a.by)
	case m.blocks[pair{a.by, p.owner}]:
		return nil, fmt.Sprintf("User `%s` has blocked post owner `%s`", a.by, p.owner)
	case !m.sees(a.by, p.owner):
		return nil, fmt.Sprintf("Post owner `%s` is private and user `%s` is not a follower", p.owner, a.by)
	case m.comments[id] != nil || m.going[id]:
		return nil, fmt.Sprintf("Comment `%s` already exists", id)
	}
	c := &comment{id: id, post: on, by: a.by, text: a.text("text"), at: at, tags: m.tags(a.text("text"))}
	m.comments[id] = c
	return m.comment(a.by, c), ""
}

func (m *model) deleteComment(a act) (shown, string) {
	id := a.text("commentId")
	c := m.comments[id]
	switch {
	case c == nil:
		return nil, fmt.Sprintf("No comment with id `%s` found", id)
	case a.by != c.by && a.by != m.posts[c.post].owner:
		return nil, fmt.Sprintf("User is not authorized to delete comment `%s`", id)
	}
	delete(m.comments, id)
	return m.comment(a.by, c), ""
}
