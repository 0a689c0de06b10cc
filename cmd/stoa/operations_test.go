package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"stoa/internal/appstore/appstoretest"
	"stoa/internal/auth/provider/providertest"
)

// operations is a server, as seen by apps, with its users.
type operations struct {
	t      *testing.T
	url    string
	tokens map[string]string
	ids    map[string]string
	asked  map[string]bool
}

// identity creates an account without a profile.
func (o *operations) identity(name string) {
	o.t.Helper()
	credentials := map[string]string{"email": name + "@example.com", "password": "correct horse battery"}
	o.ids[name] = post(o.t, o.url+"/auth/sign-up", "", http.StatusCreated, credentials)["userId"].(string)
	o.tokens[name] = post(o.t, o.url+"/auth/sign-in", "", http.StatusOK, credentials)["accessToken"].(string)
}

// guest creates an identity without an account.
func (o *operations) guest(name string) {
	o.t.Helper()
	answer := post(o.t, o.url+"/auth/anonymous", "", http.StatusCreated, map[string]string{})
	o.ids[name], o.tokens[name] = answer["userId"].(string), answer["accessToken"].(string)
}

var operationName = regexp.MustCompile(`\{ *(\w+)`)

// ask runs an operation and prints it with its response on one line. The response must
// contain want or, if want starts with "!", fail with that text. {name} is replaced by the
// id of that user.
func (o *operations) ask(who, document, want string) map[string]any {
	o.t.Helper()
	fill := document
	for name, id := range o.ids {
		fill = strings.ReplaceAll(fill, "{"+name+"}", id)
	}
	kind := "Query."
	if strings.HasPrefix(document, "mutation") {
		kind = "Mutation."
	}
	name := operationName.FindStringSubmatch(document)[1]
	o.asked[kind+name] = true
	answer := post(o.t, o.url+"/graphql", o.tokens[who], http.StatusOK, map[string]string{"query": fill})
	text, err := json.Marshal(answer)
	if err != nil {
		o.t.Fatal(err)
	}
	short := string(text)
	for name, id := range o.ids {
		short = strings.ReplaceAll(short, id, "{"+name+"}")
	}
	message, fails := strings.CutPrefix(want, "!")
	if failed := answer["errors"] != nil; failed != fails || !strings.Contains(short, message) {
		o.t.Errorf("%s asks %s: %s\nwant %s", who, document, short, want)
	}
	o.t.Logf("%s%s | %.160s | %.160s", kind, name, document, short)
	return answer
}

// code returns the last code sent to an address of a user.
func (o *operations) code(name, to string) string {
	o.t.Helper()
	_, body := get(o.t, o.url+"/auth/dev/outbox?userId="+o.ids[name])
	var sent struct {
		Messages []struct{ To, Code string }
	}
	if err := json.Unmarshal([]byte(body), &sent); err != nil {
		o.t.Fatalf("%v: %s", err, body)
	}
	code := ""
	for _, m := range sent.Messages {
		if m.To == to {
			code = m.Code
		}
	}
	if code == "" {
		o.t.Fatalf("no code for %s in %s", to, body)
	}
	return code
}

// encrypted returns a password as apps send it.
func (o *operations) encrypted(password string) string {
	o.t.Helper()
	_, body := get(o.t, o.url+"/auth/password-key")
	block, _ := pem.Decode([]byte(body))
	if block == nil {
		o.t.Fatalf("the key for passwords is %s", body)
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		o.t.Fatal(err)
	}
	text, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key.(*rsa.PublicKey), []byte(password), nil)
	if err != nil {
		o.t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(text)
}

// photograph returns a small JPEG in base64, which differs by hue.
func photograph(t *testing.T, hue uint8) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for x := range 64 {
		for y := range 48 {
			picture.Set(x, y, color.RGBA{hue, uint8(4 * x), uint8(5 * y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// TestEveryOperationIsAnswered runs every operation of the contract, and prints a line for
// each: go test -v -run EveryOperation ./cmd/stoa
func TestEveryOperationIsAnswered(t *testing.T) {
	providers, store := providertest.New(t, time.Now), appstoretest.New(t)
	c, v := providers.Config(), store.Verifier()
	p := startProcess(t, "--store", "embedded:"+t.TempDir(),
		"--apple-issuer", c.AppleIssuer, "--apple-clients", providertest.Client, "--google-issuer", c.GoogleIssuer, "--google-clients", providertest.Client,
		"--facebook-graph", c.FacebookGraph, "--facebook-app", c.FacebookApp, "--facebook-secret", c.FacebookSecret,
		"--app-store-url", v.Production, "--app-store-sandbox-url", v.Sandbox, "--app-store-secret", v.Secret, "--app-store-bundle", v.Bundle)
	o := &operations{t: t, url: p.url, tokens: map[string]string{}, ids: map[string]string{}, asked: map[string]bool{}}
	ask := o.ask

	// Accounts.
	for _, name := range []string{"ana", "ben", "cleo", "dora"} {
		o.identity(name)
		ask(name, `mutation { createCognitoOnlyUser(username: "`+name+`", fullName: "The `+name+`") { username fullName email } }`, `"username":"`+name+`"`)
	}
	for _, name := range []string{"guest", "apple", "google", "facebook"} {
		o.guest(name)
	}
	ask("guest", `mutation { createAnonymousUser { TokenType ExpiresIn } }`, `"TokenType":"Bearer"`)
	ask(
		"apple",
		`mutation { createAppleUser(username: "apple", appleIdToken: "`+providers.Apple("a1", "apple@example.com", nil)+`") { username email } }`,
		`"email":"apple@example.com"`,
	)
	ask("google", `mutation { createGoogleUser(username: "google", googleIdToken: "`+providers.Google("g1", "google@example.com", nil)+`") { username } }`, `"username":"google"`)
	ask(
		"facebook",
		`mutation { createFacebookUser(username: "facebook", facebookAccessToken: "`+providers.Facebook(
			providertest.FacebookUser{ID: "f1", Email: "facebook@example.com"},
		)+`") { username } }`,
		`"username":"facebook"`,
	)
	ask("guest", `mutation { linkAppleLogin(appleIdToken: "`+providers.Apple("a2", "guest@example.com", nil)+`") { userStatus email } }`, `"userStatus":"ACTIVE"`)
	ask("guest", `mutation { linkGoogleLogin(googleIdToken: "`+providers.Google("g2", "guest@example.com", nil)+`") { userStatus } }`, `"ACTIVE"`)
	ask(
		"guest",
		`mutation { linkFacebookLogin(facebookAccessToken: "`+providers.Facebook(providertest.FacebookUser{ID: "f2", Email: "guest@example.com"})+`") { userStatus } }`,
		`"ACTIVE"`,
	)
	ask("ana", `mutation { startChangeUserEmail(email: "new@example.com") { email } }`, `"email":"ana@example.com"`)
	ask("ana", `mutation { finishChangeUserEmail(verificationCode: "`+o.code("ana", "new@example.com")+`") { email } }`, `"email":"new@example.com"`)
	ask("ana", `mutation { startChangeUserPhoneNumber(phoneNumber: "+15105551000") { phoneNumber } }`, `"phoneNumber":null`)
	ask("ana", `mutation { finishChangeUserPhoneNumber(verificationCode: "`+o.code("ana", "+15105551000")+`") { phoneNumber } }`, `"phoneNumber":"+15105551000"`)
	ask("ana", `mutation { setUserPassword(encryptedPassword: "`+o.encrypted("another password")+`") { username } }`, `"username":"ana"`)
	ask("ana", `{ usernameStatus(username: "ben") }`, `"NOT_AVAILABLE"`)

	// Profiles and posts.
	details := `dateOfBirth: "1990-06-15", gender: FEMALE, height: 66, location: {latitude: 40, longitude: -75}, matchAgeRange: {min: 18, max: 100}, ` +
		`matchGenders: [MALE, FEMALE], matchLocationRadius: 50, matchHeightRange: {min: 0, max: 117}`
	for i, name := range []string{"ana", "ben"} {
		ask(
			name,
			`mutation { addPost(postId: "photo-`+name+`", postType: IMAGE, imageInput: {imageData: "`+photograph(
				t,
				uint8(50+100*i),
			)+`", takenInReal: true, originalFormat: "HEIC"}, setAsUserPhoto: true) { postStatus image { width height colors { r g b } } } }`,
			`"width":64`,
		)
		ask(name, `mutation { setUserDetails(displayName: "`+name+`", `+details+`) { displayName gender } }`, `"gender":"FEMALE"`)
	}
	ask("ana", `mutation { addAlbum(albumId: "a1", name: "Summer") { name postCount art { url } } }`, `"postCount":0`)
	ask(
		"ana",
		`mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "Hello @ben", keywords: ["shirt", "linen"], albumId: "a1", `+
			`lifetime: "P1D") { postStatus expiresAt textTaggedUsers { tag } } }`,
		`"tag":"@ben"`,
	)
	ask("ana", `mutation { addPost(postId: "p2", postType: TEXT_ONLY, text: "Second", albumId: "a1") { album { postCount } } }`, `"postCount":2`)
	ask("ana", `mutation { editPost(postId: "p1", text: "Hello again, @ben") { text } }`, `"Hello again, @ben"`)
	ask("ana", `mutation { editPostExpiresAt(postId: "p2", expiresAt: "2999-01-01T00:00:00Z") { expiresAt } }`, `"2999-01-01T00:00:00.000Z"`)
	ask("ana", `mutation { editPostAlbumOrder(postId: "p2") { album { posts { items { postId } } } } }`, `[{"postId":"p2"},{"postId":"p1"}]`)
	ask("ana", `mutation { editPostAlbum(postId: "p2", albumId: "") { album { name } } }`, `"album":null`)
	ask("ana", `mutation { editAlbum(albumId: "a1", description: "by the sea") { description } }`, `"by the sea"`)
	ask("ben", `{ album(albumId: "a1") { name posts { items { postId } } } }`, `"postId":"p1"`)
	ask("ana", `mutation { archivePost(postId: "p2") { postStatus } }`, `"ARCHIVED"`)
	ask("ana", `mutation { restoreArchivedPost(postId: "p2") { postStatus } }`, `"COMPLETED"`)
	ask("ben", `{ post(postId: "p1") { text postedBy { username photo { url64p } } } }`, `"url64p":"http`)
	ask("ben", `{ findPosts(keywords: "shi") { items { postId } } }`, `"postId":"p1"`)
	ask("ben", `{ similarPosts(postId: "p1") { items { postId } } }`, `"postId":"p1"`)
	ask("ben", `{ searchKeywords(keyword: "lin") }`, `"linen"`)
	ask("ben", `{ trendingPosts { items { postId } } }`, `"postId":"p1"`)

	// Relations.
	ask("ben", `mutation { followUser(userId: "{ana}") { followedStatus } }`, `"FOLLOWING"`)
	ask("ben", `{ self { feed { items { postId } } stories { items { postId } } followedUsersWithStories { items { username } } } }`, `"items":[{"username":"ana"}]`)
	ask("cleo", `mutation { setUserDetails(privacyStatus: PRIVATE) { privacyStatus } }`, `"PRIVATE"`)
	ask("ben", `mutation { followUser(userId: "{cleo}") { followedStatus } }`, `"REQUESTED"`)
	ask("cleo", `mutation { acceptFollowerUser(userId: "{ben}") { followerStatus } }`, `"FOLLOWING"`)
	ask("cleo", `mutation { denyFollowerUser(userId: "{ben}") { followerStatus } }`, `"DENIED"`)
	ask("dora", `mutation { followUser(userId: "{ana}") { followedStatus } }`, `"FOLLOWING"`)
	ask("dora", `mutation { unfollowUser(userId: "{ana}") { followedStatus } }`, `"NOT_FOLLOWING"`)
	ask("dora", `mutation { blockUser(userId: "{cleo}") { blockedStatus } }`, `"BLOCKING"`)
	ask("dora", `mutation { unblockUser(userId: "{cleo}") { blockedStatus } }`, `"NOT_BLOCKING"`)
	ask("ben", `{ user(userId: "{ana}") { username postCount followersCount } }`, `"followersCount":1`)
	ask("ben", `{ searchUsers(searchToken: "an") { items { username } } }`, `"ana"`)
	ask("ben", `{ findContacts(contacts: [{contactId: "c1", emails: ["new@example.com"]}]) { contactId user { username } } }`, `"username":"ana"`)

	// Likes, views, comments, flags.
	ask("ben", `mutation { onymouslyLikePost(postId: "p1") { likeStatus } }`, `"ONYMOUSLY_LIKED"`)
	ask("dora", `mutation { anonymouslyLikePost(postId: "p1") { likeStatus } }`, `"ANONYMOUSLY_LIKED"`)
	ask("dora", `mutation { dislikePost(postId: "p1") { likeStatus } }`, `"NOT_LIKED"`)
	ask("ben", `mutation { reportPostViews(postIds: ["p1"], viewType: FOCUS) }`, `true`)
	ask("ana", `{ trendingUsers { items { username } } }`, `"ana"`)
	ask("ben", `mutation { addComment(commentId: "c1", postId: "p1", text: "Well said.") { text } }`, `"Well said."`)
	ask("dora", `mutation { flagComment(commentId: "c1") { flagStatus } }`, `"FLAGGED"`)
	ask("ben", `mutation { deleteComment(commentId: "c1") { commentId } }`, `"c1"`)
	ask("dora", `mutation { flagPost(postId: "p1") { flagStatus } }`, `"FLAGGED"`)
	ask("ben", `mutation { reportScreenViews(screens: ["Feed"]) }`, `true`)

	// Chats.
	ask("dora", `mutation { createDirectChat(userId: "{cleo}", chatId: "d1", messageId: "m1", messageText: "Hi") { chatType } }`, `"DIRECT"`)
	ask("dora", `mutation { addChatMessage(chatId: "d1", messageId: "m2", text: "Are you there?") { text } }`, `"Are you there?"`)
	ask("dora", `mutation { editChatMessage(messageId: "m2", text: "Anybody?") { text } }`, `"Anybody?"`)
	ask("cleo", `mutation { flagChatMessage(messageId: "m2") { flagStatus } }`, `"FLAGGED"`)
	ask("dora", `mutation { deleteChatMessage(messageId: "m1") { messageId } }`, `"m1"`)
	ask("cleo", `mutation { reportChatViews(chatIds: ["d1"]) }`, `true`)
	ask("cleo", `{ chat(chatId: "d1") { usersCount } }`, `"usersCount":2`)
	ask("cleo", `mutation { flagChat(chatId: "d1") { flagStatus } }`, `"FLAGGED"`)
	ask("ben", `mutation { createGroupChat(chatId: "g1", userIds: ["{ana}"], messageId: "m3", messageText: "All", name: "Us") { name usersCount } }`, `"name":"Us"`)
	ask("ben", `mutation { addToGroupChat(chatId: "g1", userIds: ["{cleo}"]) { usersCount } }`, `"usersCount"`)
	ask("ben", `mutation { editGroupChat(chatId: "g1", name: "We") { name } }`, `"We"`)
	ask("ben", `mutation { leaveGroupChat(chatId: "g1") { chatId } }`, `"g1"`)

	// Dating and subscriptions.
	for _, name := range []string{"ana", "ben"} {
		ask(name, `mutation { setUserDatingStatus(status: ENABLED) { datingStatus } }`, `"ENABLED"`)
	}
	ask("ana", `mutation { approveMatch(userId: "{ben}") }`, `true`)
	ask("ben", `{ swipedRightUsers { username } }`, `!User subscription level is not diamond`)
	ask("ben", `mutation { grantUserSubscriptionBonus { subscriptionLevel } }`, `"DIAMOND"`)
	ask("ben", `{ swipedRightUsers { username } }`, `"ana"`)
	ask("ben", `mutation { rejectMatch(userId: "{ana}") }`, `true`)
	receipt := store.Set("r1", appstoretest.Receipt{OriginalTransactionID: "t1", ExpiresAt: time.Now().Add(time.Hour)})
	ask("ana", `mutation { addAppStoreReceipt(receiptData: "`+receipt+`") }`, `true`)

	// The rest.
	ask("ana", `mutation { setUserAcceptedEULAVersion(version: "v1") { acceptedEULAVersion } }`, `"v1"`)
	ask("ana", `mutation { setUserAPNSToken(token: "00ff") { username } }`, `"ana"`)
	ask("ana", `mutation { lambdaClientError { x: __typename } }`, `!`)
	ask("ana", `mutation { lambdaClientError }`, `!Test of lambda client error, request`)
	ask("ana", `mutation { lambdaServerError }`, `!ServerError`)
	ask("ana", `mutation { dynamoServerError }`, `!errors`)
	for operation, input := range map[string]string{
		"triggerNotification":            `userId: "{ana}", type: USER_FEED_CHANGED`,
		"triggerCardNotification":        `userId: "{ana}", type: ADDED, cardId: "c", title: "t", action: "https://app.example"`,
		"triggerChatMessageNotification": `userId: "{ana}", type: ADDED, messageId: "m", chatId: "c", text: "t", textTaggedUserIds: [], createdAt: "2026-01-01T00:00:00Z"`,
		"triggerPostNotification":        `userId: "{ana}", type: COMPLETED, postId: "p1", postStatus: COMPLETED`,
	} {
		ask("ana", `mutation { `+operation+`(input: {`+input+`}) { userId } }`, `!ClientError: Access denied`)
	}
	cards := ask("ana", `{ self { cards { items { cardId title } } } }`, `"cardId"`)
	card := at[[]any](cards, "data.self.cards.items")[0].(map[string]any)["cardId"].(string)
	ask("ana", `mutation { deleteCard(cardId: "`+card+`") { cardId } }`, `"cardId"`)

	// Deletions.
	ask("ana", `mutation { deleteAlbum(albumId: "a1") { albumId } }`, `"a1"`)
	ask("ana", `mutation { deletePost(postId: "p2") { postStatus } }`, `"DELETING"`)
	ask("dora", `mutation { resetUser { userStatus } }`, `"RESETTING"`)
	ask("cleo", `mutation { disableUser { userStatus } }`, `"DISABLED"`)
	ask("ana", `mutation { deleteUser { userStatus } }`, `"DELETING"`)

	// Events are tested elsewhere; here each subscription only starts.
	for _, field := range []string{"onNotification", "onCardNotification", "onChatMessageNotification", "onPostNotification"} {
		request, err := http.NewRequestWithContext(
			t.Context(),
			http.MethodPost,
			p.url+"/graphql",
			strings.NewReader(`{"query":"subscription { `+field+`(userId: \"`+o.ids["ben"]+`\") { userId } }"}`),
		)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/event-stream"}, "Authorization": {o.tokens["ben"]}}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
			t.Errorf("%s: %s %s", field, response.Status, kind)
		}
		t.Logf("Subscription.%s | %s", field, response.Status)
		o.asked["Subscription."+field] = true
	}

	contract, err := os.ReadFile("../../graph/testdata/contract.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(contract)) {
		columns := strings.Split(line, "\t")
		if columns[0] == "type" && (columns[1] == "Query" || columns[1] == "Mutation" || columns[1] == "Subscription") && !o.asked[columns[1]+"."+columns[2]] {
			t.Errorf("%s.%s was not asked for", columns[1], columns[2])
		}
	}
}
