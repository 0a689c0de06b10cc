package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkDearest prints the cost of the most expensive operations of anonymous
// identities: each requests one field as often as its price allows, which should take at
// most about 50 ms of CPU time.
func BenchmarkDearest(b *testing.B) {
	w := apptest.Bench(b, System)
	w.Do(dearWorld()...)
	for _, p := range w.Dearest(nobody(w), dearArguments)[:20] {
		fmt.Println(p)
	}
	for _, p := range w.DearestMutations("nobody", dearMutations)[:20] {
		fmt.Println(p)
	}
}

var dearMutations = map[string]string{
	"Mutation.startChangeUserEmail": `email:"a#@b.example"`, "Mutation.finishChangeUserEmail": `verificationCode:"123456"`,
	"Mutation.startChangeUserPhoneNumber": `phoneNumber:"+12025550123"`, "Mutation.finishChangeUserPhoneNumber": `verificationCode:"123456"`,
	"Mutation.setUserPassword": `encryptedPassword:"` + strings.Repeat("QUJD", 85) + `QQ=="`, "Mutation.createCognitoOnlyUser": `username:"nobody#"`,
	"Mutation.createAppleUser": `username:"nobody#",appleIdToken:"a.b.c"`, "Mutation.createGoogleUser": `username:"nobody#",googleIdToken:"a.b.c"`,
	"Mutation.createFacebookUser": `username:"nobody#",facebookAccessToken:"abc"`, "Mutation.linkAppleLogin": `appleIdToken:"a.b.c"`,
	"Mutation.linkGoogleLogin": `googleIdToken:"a.b.c"`, "Mutation.linkFacebookLogin": `facebookAccessToken:"abc"`,
	"Mutation.reportScreenViews": `screens:["a","b","c"]`, "Mutation.reportPostViews": `postIds:["many00","many01"]`,
	"Mutation.addPost": `postId:"new#",postType:TEXT_ONLY,text:"x"`, "Mutation.followUser": `userId:"{ana}"`, "Mutation.setUserDetails": `bio:"x"`,
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
