package user_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	. "stoa/social/socialtest"
)

// users D4: every row of a user is removed: all that is left of a removed user is their
// tombstone, their ban, and their messages in groups that still exist.
func TestNothingIsLeftOfARemovedUser(t *testing.T) {
	given := Users("ana", "ben", "cleo", "hub").
		Follow("ana", "ben").Follow("ben", "ana").
		Post("ana", "p1").Post("ben", "p2").
		Like("ben", "p1").Like("ana", "p2").
		Comment("ben", "p1", "c1").Comment("ana", "p2", "c2").
		Does("ana", `mutation { reportPostViews(postIds: ["p2"]) }`).Does("ben", `mutation { reportPostViews(postIds: ["p1"]) }`).
		Does("ana", `mutation { addAlbum(albumId: "a1", name: "a") { albumId } }`).
		Does("ana", `mutation { createDirectChat(userId: "{ben}", chatId: "direct", messageId: "m1", messageText: "hi") { chatId } }`).
		Does("ana", `mutation { createGroupChat(userIds: ["{ben}"], chatId: "group", messageId: "m2", messageText: "hi") { chatId } }`).
		Does("ana", `mutation { reportChatViews(chatIds: ["direct", "group"]) }`).
		Block("ana", "cleo").Block("cleo", "ana")
	for _, end := range []string{"deleteUser", "resetUser"} {
		t.Run(end, func(t *testing.T) {
			TestStaffed(t, given, func(w *World) {
				w.Play(Scenario{As: "ana", Query: `mutation { ` + end + ` { userId } }`})
				for _, row := range left(w, "ana") {
					stays := false
					for _, prefix := range []string{"user/{ana} deleted", "chatMessage/", "chat/group -"} {
						stays = stays || strings.HasPrefix(row, prefix)
					}
					if !stays {
						w.T.Errorf("left: %s", row)
					}
				}
			})
		})
	}
}

// left returns the rows of the main and feed tables that refer to a user.
func left(w *World, name string) []string {
	var rows []string
	for _, table := range []string{"main", "feed"} {
		for _, item := range w.Rows()[table] {
			if text := w.People.Name(fmt.Sprint(item)); strings.Contains(text, "{"+name+"}") {
				rows = append(rows, w.People.Name(fmt.Sprintf("%v %v: %v", item["partitionKey"], item["sortKey"], item)))
			}
		}
	}
	sort.Strings(rows)
	return rows
}
