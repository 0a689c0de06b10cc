package main

import (
	"math/rand/v2"
	"sync"
	"time"

	"stoa/bench/cluster"
)

// state is what users have been told of something.
type state uint8

const (
	absent state = iota
	present
	// unknown is what has been asked for without an answer.
	unknown
)

// fact is something that is there or not.
type fact struct {
	is state
	// open is set if a request about it has not been answered: a stopped process may still carry
	// it out. It is not changed again.
	open bool
}

// facts are those of one kind and user, by what they are about.
type facts map[string]*fact

func (f facts) of(name string) *fact {
	if f[name] == nil {
		f[name] = &fact{}
	}
	return f[name]
}

// user is what a user has done. Only that user changes it.
type user struct {
	cluster.Person
	follows, posts, likes, comments, messages facts
	// commented has the posts of comments.
	commented map[string]string
	chat      string
	sent      []*message
}

func (u *user) name() string { return string(u.ID) }

// message is a message in the chat of a user, sent and answered at some time, by the process of a
// name if the first request was answered.
type message struct {
	id         string
	number     int
	by         string
	sent, told time.Time
}

// model is what all users have been told.
type model struct {
	users []*user

	mu sync.Mutex
	// all are the posts of all users, in the order of their requests.
	all   []string
	posts facts
}

func newModel(people []cluster.Person) *model {
	m := &model{posts: facts{}}
	for _, p := range people {
		m.users = append(m.users, &user{
			Person: p, follows: facts{}, posts: facts{}, likes: facts{}, comments: facts{}, messages: facts{}, commented: map[string]string{},
		})
	}
	return m
}

// posted notes that a user is about to add a post.
func (m *model) posted(u *user, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = append(m.all, id)
	m.posts[id] = u.posts.of(id)
}

func (m *model) note(f *fact, is state) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f.is = is
}

// somePost returns a post that exists as far as is known: a recent one mostly, so that some are
// hot.
func (m *model) somePost(random *rand.Rand) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	recent := m.all[max(0, len(m.all)-20):]
	if random.IntN(4) == 0 {
		recent = m.all
	}
	for range 10 {
		if len(recent) == 0 {
			return "", false
		}
		id := recent[random.IntN(len(recent))]
		if m.posts[id].is == present {
			return id, true
		}
	}
	return "", false
}
