package user_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/kit/faultdb"
	"stoa/social"
	. "stoa/social/socialtest"
)

const (
	setPhoto  = `mutation { setUserDetails(photoPostId: "p") { photo { width height colors { r } } } }`
	photoURLs = `photo { url url64p url480p url1080p url4k }`
)

func TestSetPhoto(t *testing.T) {
	given := Users("ana", "ben").Image("ana", "p", 160, 120)
	none := Scenario{As: "ana", Query: `{ self { photo { url } } }`, Want: `{"self": {"photo": null}}`}
	shown := Scenario{As: "ben", Query: `{ user(userId: "{ana}") { photo { width } } }`, Want: `{"user": {"photo": {"width": null}}}`}
	Run(t, []Scenario{
		{Name: "users P3 no photo", Given: given, Then: []Scenario{none}},
		{Name: "users P4 a photo takes the card away",
			Given: given.ListenToCards("ana"), As: "ana", Query: setPhoto, Want: `{"setUserDetails": {"photo": {"width": null, "height": null, "colors": null}}}`,
			Counts: Counts{
				"ana.cardCount": -1,
			}, Hears: Hears{"ana": {`{"onCardNotification": {"type": "DELETED", "card": {"cardId": "{ana}:ADD_PROFILE_PHOTO", "title": "Add a profile photo"}}}`}},
			Then: []Scenario{shown,
				{As: "ana", Query: setPhoto, Events: Events{}},
				{
					As:     "ana",
					Query:  `mutation { setUserDetails(photoPostId: "") { photo { url } } }`,
					Want:   `{"setUserDetails": {"photo": null}}`,
					Counts: Counts{"ana.cardCount": 0},
					Then:   []Scenario{none},
				}}},
		{Name: "users P5 the post may go", Given: given.Details("ana", `photoPostId: "p"`).Archive("ana", "p"), As: "ana", Query: `mutation { deletePost(postId: "p") { postId } }`,
			Then: []Scenario{shown, {As: "ana", Query: setPhoto}}},
		{Name: "strangers of a private user see it", Given: given.Details("ana", `photoPostId: "p", privacyStatus: PRIVATE`), Then: []Scenario{shown}},
		{
			Name:  "whom they block does not",
			Given: given.Details("ana", `photoPostId: "p"`).Block("ana", "ben"),
			As:    "ben",
			Query: `{ user(userId: "{ana}") { photo { url } } }`,
			Want:  `{"user": {"photo": null}}`,
		},
		{Name: "1 no post", Given: given, As: "ana", Query: `mutation { setUserDetails(photoPostId: "x") { userId } }`, Error: "ClientError: Post `x` not found"},
		{
			Name:  "2 a text",
			Given: given.Post("ana", "t"),
			As:    "ana",
			Query: `mutation { setUserDetails(photoPostId: "t") { userId } }`,
			Error: "ClientError: Post `t` does not have type `IMAGE`",
		},
		{Name: "3 an archived post", Given: given.Archive("ana", "p"), As: "ana", Query: setPhoto, Error: "ClientError: Post `p` does not have status `COMPLETED`"},
		{Name: "4 somebody else's", Given: given, As: "ben", Query: setPhoto, Error: "ClientError: Post `p` does not belong to this user"},
		{
			Name:  "5 not verified",
			Given: given.Does("ana", "%s", ImagePost("q", JPEG(50, 40), "", "", "postId")),
			As:    "ana",
			Query: `mutation { setUserDetails(photoPostId: "q") { userId } }`,
			Error: "ClientError: Post `q` is not verified",
		},
		{Name: "archived meanwhile", Given: given, Meanwhile: Given{}.Archive("ana", "p"), As: "ana", Query: setPhoto},
		{Name: "users P6 with the post",
			Given: Users(
				"ana",
				"ben",
			), As: "ana", Query: ImagePost("p", JPEG(160, 120), `, takenInReal: true`, `, setAsUserPhoto: true`, "postStatus"), Counts: Counts{"ana.cardCount": -1},
			Then: []Scenario{shown}},
		{
			Name:   "users P6 with a post that is not verified",
			Given:  Users("ana", "ben"),
			As:     "ana",
			Query:  ImagePost("p", JPEG(160, 120), ``, `, setAsUserPhoto: true`, "postStatus"),
			Want:   `{"addPost": {"postStatus": "COMPLETED"}}`,
			Counts: Counts{"ana.cardCount": 0},
			Then:   []Scenario{none},
		},
	})
}

// users P1 and P5: all five sizes can be read, even after the post has been deleted, at the same
// URLs.
func TestPhotoURLs(t *testing.T) {
	Test(t, Users("ana", "ben").Image("ana", "p", 160, 120).Details("ana", `photoPostId: "p"`), func(w *World) {
		addresses := func(as, query string) []string {
			return strings.FieldsFunc(string(w.Must(as, query).Data), func(r rune) bool { return strings.ContainsRune(`{}",`, r) })
		}
		before := addresses("ana", `{ self { `+photoURLs+` } }`)
		w.Do(Given{}.DeletePost("ana", "p")...)
		after := addresses("ben", `{ self: user(userId: "{ana}") { `+photoURLs+` } }`)
		if strings.Join(before, " ") != strings.Join(after, " ") {
			w.T.Errorf("the addresses change from %q to %q", before, after)
		}
		fetched := 0
		for _, address := range after {
			if !strings.Contains(address, "/media/") {
				continue
			}
			fetched++
			if path := w.People.Fill("{ana}") + "/profile-photo/p/"; !strings.Contains(address, path) {
				w.T.Errorf("%s is not below %s", address, path)
			}
			if status, body := Get(w, strings.ReplaceAll(address, `\u0026`, "&")); status != http.StatusOK || len(body) == 0 {
				w.T.Errorf("GET %s: %d, %d bytes", address, status, len(body))
			}
		}
		if fetched != 5 {
			w.T.Errorf("%d addresses in %q", fetched, after)
		}
	})
}

func TestSetAPNSToken(t *testing.T) {
	set := func(token string) string {
		return `mutation { setUserAPNSToken(token: "` + token + `") { userId } }`
	}
	Test(t, Users("ana"), func(w *World) {
		for _, token := range []string{"t1", "t2", ""} {
			w.Play(Scenario{As: "ana", Query: set(token), Want: `{"setUserAPNSToken": {"userId": "{ana}"}}`})
			stored := ""
			if item := w.Get("ops", "device/{ana}", "apns"); item != nil {
				stored = item["token"].(string)
			}
			if stored != token {
				w.T.Errorf("after %q the token is %q", token, stored)
			}
		}
		w.Do(Given{}.Status("ana", "ANONYMOUS")...)
		w.Play(Scenario{As: "ana", Query: set("t3"), Error: "ClientError: User `{ana}` is not ACTIVE"})
	})
}

// service E7: the image of a former profile's post does not become the photo of the new one, even
// if that was asked for before.
func TestPhotosOfFormerProfiles(t *testing.T) {
	const look = `{ self { photo { width } cards { items { title } } } }`
	const none = `{"self":{"photo":null,"cards":{"items":[{"title":"Add a profile photo"}]}}}`
	Test(t, Users("ana").Image("ana", "p", 40, 30), func(w *World) {
		removed := Renew(w, "ana")
		Tells(w, "ana", setPhoto, "ClientError: Post `p` not found")
		w.Deliver(removed)
		Sound(w)
	})
	Test(t, Users("ana"), func(w *World) {
		at := w.Now()
		w.Advance(time.Second)
		w.Must("ana", `mutation { resetUser(newUsername: "anew") { userId } }`)
		w.Deliver(social.UserPhotoSet{UserID: w.ID("ana"), At: at})
		Tells(w, "ana", look, none)
		Sound(w)
	})
	for n := 1; n < 12; n++ { // the photo is set after the answer
		Test(t, Users("ana"), func(w *World) {
			w.Client.Arm(faultdb.Before("GetItem", n, func() { w.Ask("ana", `mutation { resetUser(newUsername: "anew") { userId } }`) }))
			w.Ask("ana", ImagePost("p", JPEG(40, 30), ", takenInReal: true", ", setAsUserPhoto: true", "postId"))
			w.Settle()
			if w.Get("main", "user/{ana}", "profile")["username"] == "anew" && w.Get("main", "post/p", "-") == nil {
				Tells(w, "ana", look, none)
			}
			Sound(w)
		})
	}
}
