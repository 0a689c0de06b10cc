package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// BenchmarkMostExpensive prints the cost of the most expensive operations of identities
// without an account, one without a profile and one that may do everything: each requests
// one field as often as its price allows, which should take at most about 50 ms of CPU time.
func BenchmarkMostExpensive(b *testing.B) {
	w := apptest.Bench(b, System)
	w.Do(expensiveWorld().Users("guest").Post("guest", "mine")...)
	w.People.Identity("guest", apptest.Account{})
	for _, as := range []string{nobody(w), "guest"} {
		for _, p := range w.QueryCosts(as, queryArguments)[:20] {
			fmt.Println(as, p)
		}
		for _, p := range w.MutationCosts(as, mutationArguments)[:20] {
			fmt.Println(as, p)
		}
	}
}

var mutationArguments = map[string]string{
	"Mutation.startChangeUserEmail": `email:"a#@b.example"`, "Mutation.finishChangeUserEmail": `verificationCode:"123456"`,
	"Mutation.startChangeUserPhoneNumber": `phoneNumber:"+12025550123"`, "Mutation.finishChangeUserPhoneNumber": `verificationCode:"123456"`,
	"Mutation.setUserPassword": `encryptedPassword:"` + strings.Repeat("QUJD", 85) + `QQ=="`, "Mutation.createCognitoOnlyUser": `username:"nobody#"`,
	"Mutation.createAppleUser": `username:"nobody#",appleIdToken:"a.b.c"`, "Mutation.createGoogleUser": `username:"nobody#",googleIdToken:"a.b.c"`,
	"Mutation.createFacebookUser": `username:"nobody#",facebookAccessToken:"abc"`, "Mutation.linkAppleLogin": `appleIdToken:"a.b.c"`,
	"Mutation.linkGoogleLogin": `googleIdToken:"a.b.c"`, "Mutation.linkFacebookLogin": `facebookAccessToken:"abc"`,
	"Mutation.reportScreenViews": `screens:["a","b","c"]`, "Mutation.reportPostViews": `postIds:["many00","many01"]`,
	"Mutation.addPost": `postId:"new#",postType:TEXT_ONLY,text:"x"`, "Mutation.followUser": `userId:"{friend00}"`, "Mutation.unfollowUser": `userId:"{friend00}"`,
	"Mutation.setUserDetails": `bio:"x#"`,
	"Mutation.addAlbum":       `albumId:"album#",name:"x"`, "Mutation.editPost": `postId:"mine",text:"x#"`, "Mutation.editPostAlbum": `postId:"mine"`,
	"Mutation.addComment":        `commentId:"comment#",postId:"many01",text:"@ana x"`,
	"Mutation.onymouslyLikePost": `postId:"many02"`, "Mutation.dislikePost": `postId:"many02"`, "Mutation.blockUser": `userId:"{friend01}"`,
	"Mutation.unblockUser":      `userId:"{friend01}"`,
	"Mutation.createDirectChat": `chatId:"chat#",userId:"{friend02}",messageId:"first#",messageText:"x"`, "Mutation.createGroupChat": `chatId:"group#",userIds:["{friend03}",` +
		`"{friend04}"],messageId:"hello#",messageText:"x"`,
	"Mutation.flagPost": `postId:"many03"`, "Mutation.archivePost": `postId:"mine"`, "Mutation.restoreArchivedPost": `postId:"mine"`, "Mutation.setUserAPNSToken": `token:"t#"`,
}

func expensiveWorld() Given {
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

var queryArguments = map[string]string{
	"Query.user": `userId:"{ana}"`, "Query.post": `postId:"many00"`, "Query.album": `albumId:"x#"`, "Query.chat": `chatId:"x#"`,
	"Query.searchUsers": `searchToken:"friend"`, "Query.findPosts": `keywords:"key"`, "Query.searchKeywords": `keyword:"ke"`,
	"Query.similarPosts": `postId:"many00"`, "Query.usernameStatus": `username:"friend#"`,
	"User.followedUsers": "", "PaginatedUsers.items": "", "User.posts": "", "PaginatedPosts.items": "",
}
