package resolvers_test

import (
	"fmt"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/kit/hostile"
	. "stoa/social/socialtest"
)

// No operation of an anonymous identity is dear, whichever field it asks for as often as it
// may: some 50 ms of a processor, on machines with nothing else to do.
func TestNothingDearIsAnonymous(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for each field some thousand times")
	}
	Test(t, dearWorld(), func(w *World) {
		for _, p := range w.Dearest(nobody(w), dearArguments) {
			if p.CPU > hostile.Longest {
				t.Error(p)
			}
		}
	})
}

// BenchmarkDearest prints what anonymous identities get for their operations.
func BenchmarkDearest(b *testing.B) {
	w := apptest.Bench(b, System)
	w.Do(dearWorld()...)
	for _, p := range w.Dearest(nobody(w), dearArguments)[:20] {
		fmt.Println(p)
	}
}

func dearWorld() Given {
	g := befriended(100)
	for i := range 100 {
		g = g.Post("friend00", fmt.Sprintf("many%02d", i), `keywords: ["key", "word"]`)
	}
	return g
}

func nobody(w *World) string {
	w.People.Identity("nobody", apptest.Account{})
	return "nobody"
}

var dearArguments = map[string]string{
	"Query.user": `userId:"{ana}"`, "Query.post": `postId:"many00"`, "Query.album": `albumId:"x#"`, "Query.chat": `chatId:"x#"`,
	"Query.searchUsers": `searchToken:"friend"`, "Query.findPosts": `keywords:"key"`, "Query.searchKeywords": `keyword:"ke"`,
	"Query.similarPosts": `postId:"many00"`, "Query.usernameStatus": `username:"friend#"`,
	"User.followedUsers": "", "PaginatedUsers.items": "", "User.posts": "", "PaginatedPosts.items": "",
}
