// Package dataset generates the social network of the benchmarks' servers, identically on
// every machine: 2,000 users with about 50 follows each, 20,000 posts, 100,000 comments,
// 100,000 likes, and feeds of the newest 100 posts of followed users.
//
// Ids are numbers from 1; each server converts them to the form of its API.
package dataset

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
	"time"
)

const (
	NUsers      = 2000
	NPosts      = 20000
	NComments   = 100000
	NLikes      = 100000
	FollowsEach = 50
	FeedCap     = 100
	HotPosts    = 2000 // posts 1..HotPosts have 30 comments each (W3 picks from these)
	FanAuthors  = 50   // users 1..FanAuthors have exactly FanFollowers followers (W4 picks from these)
	FanCount    = 100
	Epoch       = 1700000000 // unix seconds of the first post; post i is at Epoch+i*60
)

type User struct {
	ID                                      int
	Username, FullName, Bio, PhotoURL       string
	FollowerCount, FollowedCount, PostCount int
}
type Post struct {
	ID, Author              int
	Text                    string
	PostedAt                int64
	LikeCount, CommentCount int
}
type Comment struct {
	ID, Post, Author int
	Text             string
	At               int64
}
type Pair struct{ A, B int }
type FeedRow struct {
	User, Post, Author int
	PostedAt           int64
}
type Data struct {
	Users    []User // index = id-1
	Posts    []Post
	Comments []Comment
	Follows  []Pair // A follows B
	Likes    []Pair // A (user) likes B (post)
	Feed     []FeedRow
}

var words = strings.Fields(
	"sun sea quiet morning coffee with friends at the old harbour light over hills long walk home music and rain new shoes first day of spring the dog found " +
		"a stick again garden lunch cards on table one more photo from trip",
)

func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[r.IntN(len(words))])
	}
	return b.String()
}

// Generate returns the whole data set (about 80 MB).
func Generate() *Data {
	r := rand.New(rand.NewPCG(7, 11))
	d := &Data{}
	for i := 1; i <= NUsers; i++ {
		d.Users = append(d.Users, User{ID: i, Username: fmt.Sprintf("user%05d", i), FullName: fmt.Sprintf("Person Number %d", i),
			Bio: text(r, 90), PhotoURL: fmt.Sprintf("https://img.example/u/%d/native.jpg", i)})
	}
	fol := make([]map[int]bool, NUsers+1) // fol[b] = followers of b
	for i := range fol {
		fol[i] = map[int]bool{}
	}
	for a := 1; a <= NUsers; a++ {
		for n := 0; n < FollowsEach; {
			b := 1 + r.IntN(NUsers)
			if b == a || fol[b][a] || (b <= FanAuthors && len(fol[b]) >= FanCount) {
				continue
			}
			fol[b][a] = true
			n++
		}
	}
	for b := 1; b <= FanAuthors; b++ {
		for len(fol[b]) < FanCount {
			if a := 1 + r.IntN(NUsers); a != b {
				fol[b][a] = true
			}
		}
	}
	followers := make([][]int, NUsers+1)
	for b := 1; b <= NUsers; b++ {
		for a := range fol[b] {
			followers[b] = append(followers[b], a)
		}
		sort.Ints(followers[b])
		for _, a := range followers[b] {
			d.Follows = append(d.Follows, Pair{a, b})
			d.Users[a-1].FollowedCount++
			d.Users[b-1].FollowerCount++
		}
	}
	feeds := make([][]FeedRow, NUsers+1)
	for i := 1; i <= NPosts; i++ {
		a := 1 + r.IntN(NUsers)
		p := Post{ID: i, Author: a, Text: text(r, 140), PostedAt: Epoch + int64(i)*60}
		d.Posts = append(d.Posts, p)
		d.Users[a-1].PostCount++
		for _, f := range followers[a] {
			feeds[f] = append(feeds[f], FeedRow{f, i, a, p.PostedAt})
		}
	}
	for u := 1; u <= NUsers; u++ {
		f := feeds[u]
		if len(f) > FeedCap {
			f = f[len(f)-FeedCap:]
		}
		d.Feed = append(d.Feed, f...)
	}
	for i := 1; i <= NComments; i++ {
		p := 1 + (i-1)%HotPosts
		if i > 30*HotPosts {
			p = HotPosts + 1 + r.IntN(NPosts-HotPosts)
		}
		d.Comments = append(d.Comments, Comment{ID: i, Post: p, Author: 1 + r.IntN(NUsers), Text: text(r, 70), At: d.Posted().Unix() + int64(i)})
		d.Posts[p-1].CommentCount++
	}
	seen := map[Pair]bool{}
	for len(d.Likes) < NLikes {
		l := Pair{1 + r.IntN(NUsers), 1 + r.IntN(NPosts)}
		if !seen[l] {
			seen[l] = true
			d.Likes = append(d.Likes, l)
			d.Posts[l.B-1].LikeCount++
		}
	}
	return d
}

// Posted returns the time by which all posts have been posted. Comments and likes are later: older ones
// would be leftovers of earlier posts with the same ids.
func (d *Data) Posted() time.Time { return time.Unix(Epoch+NPosts*60, 0) }
