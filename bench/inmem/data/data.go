// Package data is the data set as maps and slices under one lock. Nothing in it is durable.
package data

import (
	"strconv"
	"sync"
	"time"

	"stoa/bench/dataset"
)

type User struct {
	ID                                      int
	Username, FullName, Bio, PhotoURL       string
	FollowerCount, FollowedCount, PostCount int
}
type Post struct {
	ID, AuthorID            int
	Text, PostedAt          string
	LikeCount, CommentCount int
}
type Comment struct {
	ID, AuthorID      int
	Text, CommentedAt string
}
type key struct{ u, p int }

type Store struct {
	mu        sync.RWMutex
	Users     map[int]*User
	Posts     map[int]*Post
	Comments  map[int][]*Comment
	Feeds     map[int][]int // newest last
	Followers map[int][]int
	likes     map[key]struct{}
	follows   map[key]struct{}
	next      int

	messages  map[int][]*Message
	listeners map[int]map[chan *Message]struct{}
}

func stamp(s int64) string { return time.Unix(s, 0).UTC().Format(time.RFC3339) }
func now() string          { return time.Now().UTC().Format(time.RFC3339Nano) }

func New() *Store {
	d := dataset.Generate()
	s := &Store{Users: map[int]*User{}, Posts: map[int]*Post{}, Comments: map[int][]*Comment{}, Feeds: map[int][]int{}, Followers: map[int][]int{},
		likes: map[key]struct{}{}, follows: map[key]struct{}{}, next: 1000000,
		messages: map[int][]*Message{}, listeners: map[int]map[chan *Message]struct{}{}}
	for _, u := range d.Users {
		v := User(u)
		s.Users[u.ID] = &v
	}
	for _, p := range d.Posts {
		s.Posts[p.ID] = &Post{p.ID, p.Author, p.Text, stamp(p.PostedAt), p.LikeCount, p.CommentCount}
	}
	for _, c := range d.Comments {
		s.Comments[c.Post] = append(s.Comments[c.Post], &Comment{c.ID, c.Author, c.Text, stamp(c.At)})
	}
	for _, f := range d.Feed {
		s.Feeds[f.User] = append(s.Feeds[f.User], f.Post)
	}
	for _, f := range d.Follows {
		s.Followers[f.B] = append(s.Followers[f.B], f.A)
		s.follows[key{f.A, f.B}] = struct{}{}
	}
	for _, l := range d.Likes {
		s.likes[key{l.A, l.B}] = struct{}{}
	}
	return s
}

func (s *Store) User(id int) *User {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.Users[id]
}
func (s *Store) Post(id int) *Post {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.Posts[id]
}
func (s *Store) Feed(user, n int) []*Post {
	s.mu.RLock()
	defer s.mu.RUnlock()
	f := s.Feeds[user]
	out := make([]*Post, 0, n)
	for i := len(f) - 1; i >= 0 && len(out) < n; i-- {
		out = append(out, s.Posts[f[i]])
	}
	return out
}

func (s *Store) Liked(u, p int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.likes[key{u, p}]
	return ok
}
func (s *Store) CommentsOf(p, n int) []*Comment {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := s.Comments[p]
	return c[:min(n, len(c))]
}
func (s *Store) NewPost(author int, text string) *Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	p := &Post{ID: s.next, AuthorID: author, Text: text, PostedAt: now()}
	s.Posts[p.ID] = p
	u := *s.Users[author]
	u.PostCount++
	s.Users[author] = &u
	for _, f := range s.Followers[author] {
		l := append(s.Feeds[f], p.ID)
		if len(l) > 2*dataset.FeedCap {
			l = append([]int(nil), l[len(l)-dataset.FeedCap:]...)
		}
		s.Feeds[f] = l
	}
	return p
}
func (s *Store) NewComment(author, post int, text string) *Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	c := &Comment{s.next, author, text, now()}
	s.Comments[post] = append(s.Comments[post], c)
	p := *s.Posts[post]
	p.CommentCount++
	s.Posts[post] = &p
	return c
}
func (s *Store) Like(u, post int) *Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.likes[key{u, post}]; ok {
		return s.Posts[post]
	}
	s.likes[key{u, post}] = struct{}{}
	p := *s.Posts[post]
	p.LikeCount++
	s.Posts[post] = &p
	return &p
}
func (s *Store) Follow(a, b int) *User {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.follows[key{a, b}]; ok {
		return s.Users[b]
	}
	s.follows[key{a, b}] = struct{}{}
	s.Followers[b] = append(s.Followers[b], a)
	ua, ub := *s.Users[a], *s.Users[b]
	ua.FollowedCount++
	ub.FollowerCount++
	s.Users[a], s.Users[b] = &ua, &ub
	return &ub
}
func Atoi(v string) int { n, _ := strconv.Atoi(v); return n }
