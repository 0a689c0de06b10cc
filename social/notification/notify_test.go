package notification_test

import (
	"strings"
	"testing"

	"stoa/social"
	. "stoa/social/socialtest"
)

const (
	changed   = `{"onNotification":{"type":"USER_FEED_CHANGED"}}`
	completed = `{"onNotification":{"type":"POST_COMPLETED"}}`
	addP1     = `mutation { addPost(postId: "p1", postType: TEXT_ONLY, text: "x") { postStatus } }`
)

// realtime 2#1,4, 3#1,3 and 4#1: every subscription of the owner hears of a completed post,
// whatever the owner's status, and later ones do not.
func TestNotifications(t *testing.T) {
	given := Users("ana", "ben", "cleo").Follow("ben", "ana")
	Run(t, []Scenario{
		{Name: "every subscription of the user hears, and nobody else's", Given: given.Listen("ana", "ana", "ben", "cleo"), As: "ana", Query: addP1,
			Hears: Hears{"ana": {changed, completed, changed, completed}, "ben": {changed}}},
		{Name: "nothing of what was before", Given: given.Post("ana", "p1").Listen("ana", "ben"), As: "ana", Query: `{ self { userId } }`, Hears: Hears{}},
		{
			Name:  "what is set",
			Given: given.ListenTo("ana", "userId type postId followedUserId matchUserId userChatsWithUnviewedMessagesCount"),
			As:    "ana",
			Query: addP1,
			Hears: Hears{"ana": {
				`{"onNotification":{"userId":"{ana}","type":"USER_FEED_CHANGED","postId":null,"followedUserId":null,"matchUserId":null,"userChatsWithUnviewedMessagesCount":null}}`,
				`{"onNotification":{"userId":"{ana}","type":"POST_COMPLETED","postId":"p1","followedUserId":null,"matchUserId":null,"userChatsWithUnviewedMessagesCount":null}}`}},
		},
		{Name: "a post that comes back was completed before", Given: given.Post("ana", "p1").Archive("ana", "p1").Listen("ana"), As: "ana",
			Query: `mutation { restoreArchivedPost(postId: "p1") { postStatus } }`, Hears: Hears{"ana": {changed}}},
		{Name: "a post that begins", Given: given.Listen("ana"), As: "ana", Query: `mutation { addPost(postId: "p1", postType: IMAGE) { postStatus } }`, Hears: Hears{}},
		{
			Name:  "a post that goes",
			Given: given.Post("ana", "p1").Listen("ana"),
			As:    "ana",
			Query: `mutation { deletePost(postId: "p1") { postStatus } }`,
			Hears: Hears{"ana": {changed}},
		},
		{Name: "somebody disabled may listen", Given: given.Status("ben", social.UserDisabled).Listen("ben"), As: "ana", Query: addP1, Hears: Hears{"ben": {changed}}},
		{
			Name:  "somebody anonymous may listen",
			Given: Given{}.Anonymous("ana").ListenToCards("ana"),
			As:    "ana",
			Query: `mutation { linkGoogleLogin(googleIdToken: "s1 ana@example.org") { userStatus } }`,
			Hears: Hears{"ana": {`{"onCardNotification":{"type":"DELETED","card":{"cardId":"{ana}:ANONYMOUS_USER_UPSELL","title":"Reserve your username & sign up!"}}}`,
				`{"onCardNotification":{"type":"ADDED","card":{"cardId":"{ana}:ADD_PROFILE_PHOTO","title":"Add a profile photo"}}}`}},
		},
	})
}

// users T4, realtime 2#2: for every subscription and every caller.
func TestNobodyHearsWhatIsForAnother(t *testing.T) {
	given := Users("ana", "ben", "off").Anonymous("anon").Status("off", social.UserDisabled).Follow("ben", "ana")
	Test(t, given, func(w *World) {
		for _, stream := range []string{"onNotification", "onCardNotification", "onChatMessageNotification", "onPostNotification"} {
			for _, other := range []string{"{ana}", "nobody", ""} {
				for _, name := range []string{"ben", "off", "anon"} {
					w.Listen(name, `subscription { `+stream+`(userId: "`+other+`") { userId } }`)
					if heard := w.TakeHeard()[name]; len(heard) != 1 ||
						!strings.Contains(heard[0], `"message":"ClientError: Cannot subscribe to notifications intended for another user"`) ||
						!strings.Contains(heard[0], `"code":"FORBIDDEN"`) {
						w.T.Errorf("%s subscribes to %s of %q and hears %s", name, stream, other, heard)
					}
				}
			}
		}
		w.Must("ana", addP1)
		w.Must("ana", `mutation { createGroupChat(chatId: "g", userIds: [], messageId: "m", messageText: "x") { chatId } }`)
		if heard := w.TakeHeard(); len(heard) > 0 {
			w.T.Errorf("they hear %s", heard)
		}
	})
}
