package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/apptest"
)

// pantry 7#10, 4.1#2, 5.5#2 and 6#9: generating again keeps the code and moves the expiry.
func TestScenario10GeneratingProlongs(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		first := w.Does("a", `mutation($g: ID!) { generateJoinLink(groupId: $g) { code group { joinLink { code } } } }`, vars{"g": a.group})
		w.Is(first, "generateJoinLink.group.joinLink.code", fmt.Sprintf("%q", first.Text("generateJoinLink.code"))) // the live one (pantry 4.1#2)
		w.Advance(10 * time.Hour)
		at := w.Now().Add(time.Second) // as the request looks at the clock
		second := w.Does("a", generate, vars{"g": a.group})
		if got, want := second.Text("generateJoinLink.code"), first.Text("generateJoinLink.code"); got != want {
			t.Errorf("code %s, want %s", got, want)
		}
		w.Is(second, "generateJoinLink.expiresAt", fmt.Sprintf("%q", at.Add(24*time.Hour).Format("2006-01-02T15:04:05.000Z")))
		w.Is(
			w.Does("a", `query($g: ID!) { group(id: $g) { joinLink { expired createdBy { name } } } }`, vars{"g": a.group}),
			"group.joinLink",
			`{"createdBy":{"name":"a"},"expired":false}`,
		)
		w.Whole()
	})
}

// pantry 7#11, 4.1#2, 5.5#1 and 5.5#7: an expired link is replaced, and its code forgotten.
func TestScenario11AnExpiredLinkIsReplaced(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.registers("b")
		old := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		w.Advance(25 * time.Hour)
		w.Is(w.Does("a", `query($g: ID!) { group(id: $g) { joinLink { code } } }`, vars{"g": a.group}), "group.joinLink", `null`)
		if code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code"); code == old {
			t.Error("the code is still the same")
		}
		w.Refused("NOT_FOUND LINK_UNKNOWN", "b", join, vars{"c": old})
		w.Whole()
	})
}

// pantry 7#12, 5.5#3, 5.5#6, 5.5#8 and 6#3: a link serves several users, and joining again
// changes nothing.
func TestScenario12ManyJoinByOneLink(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.registers("b")
		w.registers("c")
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		w.Is(w.Does("b", join, vars{"c": code}), "joinGroup.memberCount", `2`)
		w.Is(w.Does("c", join, vars{"c": code}), "joinGroup.memberCount", `3`)
		before := fmt.Sprint(w.Rows()["Pantry"])
		w.Is(w.Does("c", join, vars{"c": code}), "joinGroup.memberCount", `3`)
		if after := fmt.Sprint(w.Rows()["Pantry"]); after != before {
			t.Errorf("joining again changed\n%s\nto\n%s", before, after)
		}
		w.Is(
			w.Does("b", `query($c: String!) { joinLinkPreview(code: $c) { groupName memberCount alreadyMember } }`, vars{"c": code}),
			"joinLinkPreview",
			`{"alreadyMember":true,"groupName":"a's group","memberCount":3}`,
		)
		w.Whole()
	})
}

// pantry 7#13, 5.5#6-8 and 5.6#3: an expired link that is still stored admits nobody.
func TestScenario13AnExpiredLinkLetsNobodyIn(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.registers("b")
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		w.Advance(24*time.Hour - time.Second)
		w.Is(w.Does("b", `query($c: String!) { joinLinkPreview(code: $c) { memberCount } }`, vars{"c": code}), "joinLinkPreview.memberCount", `1`)
		w.Refused("PRECONDITION_FAILED LINK_EXPIRED", "b", join, vars{"c": code})
		w.Is(w.Does("b", `query($c: String!) { joinLinkPreview(code: $c) { memberCount } }`, vars{"c": code}), "joinLinkPreview", `null`)
		w.Is(w.Does("a", `query($g: ID!) { group(id: $g) { memberCount } }`, vars{"g": a.group}), "group.memberCount", `1`)
		w.Whole()
	})
}

// pantry 7#14, 5.5#4, 5.5#6 and 5.5#8: a revoked code is as unknown as an invented one.
func TestScenario14UnknownLinks(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.registers("b")
		code := w.Does("a", generate, vars{"g": a.group}).Text("generateJoinLink.code")
		const revoke = `mutation($g: ID!) { revokeJoinLink(groupId: $g) }`
		w.Is(w.Does("a", revoke, vars{"g": a.group}), "revokeJoinLink", `true`)
		w.Is(w.Does("a", revoke, vars{"g": a.group}), "revokeJoinLink", `false`)
		for _, c := range []string{code, "AAAAAAAAAAAAAAAAAAAAAA", "", "x", strings.Repeat("A", 3000), "Category"} {
			w.Refused("NOT_FOUND LINK_UNKNOWN", "b", join, vars{"c": c})
			w.Is(w.Does("b", `query($c: String!) { joinLinkPreview(code: $c) { memberCount } }`, vars{"c": c}), "joinLinkPreview", `null`)
		}
		w.Whole()
	})
}

// pantry 7#15, 5.5#2, 5.5#7, 6#9 and 6#19: members who generate concurrently share one
// link.
func TestScenario15OneLiveLink(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		w.joins("b", "a", a.group)
		for n := range rounds {
			w.Does("a", `mutation($g: ID!) { revokeJoinLink(groupId: $g) }`, vars{"g": a.group})
			var mu sync.Mutex
			codes := map[string]bool{}
			w.Counted(w.AtOnce(2, func(i int) apptest.Answer {
				answer := w.Asks([]string{"a", "b"}[i], generate, vars{"g": a.group})
				if len(answer.Errors) == 0 {
					mu.Lock()
					defer mu.Unlock()
					codes[w.DataOf(answer).Text("generateJoinLink.code")] = true
				}
				return answer
			}), map[string]int{"": 2})
			if len(codes) != 1 {
				t.Fatalf("round %d: codes %v", n, codes)
			}
		}
		w.Whole()
	})
}

// pantry 7#16, 3#3, 4.2#6, 4.3#5-6 and 5.5#9: operators list and purge expired links, and
// see nothing else of a group.
func TestScenario16ExpiredLinksArePurged(t *testing.T) {
	test(t, func(w *world) {
		a := w.registers("a")
		groups := []string{a.group}
		for range 2 {
			groups = append(groups, w.Does("a", `mutation { createGroup { id } }`).Text("createGroup.id"))
		}
		w.Does("a", generate, vars{"g": groups[1]})
		w.Advance(time.Hour)
		w.Does("a", generate, vars{"g": groups[0]})
		w.Advance(48 * time.Hour)
		w.Does("a", generate, vars{"g": groups[2]})
		w.People.Identity("oz")
		const expired = `{ expiredJoinLinks { items { group { id } expired } } }`
		d := w.Does("oz", expired)
		if got, want := d.List("expiredJoinLinks.items", "group.id"), groups[1]+" "+groups[0]; got != want {
			t.Errorf("expired %s, want %s", got, want)
		}
		w.Refused("FORBIDDEN NOT_OPERATOR", "a", expired)
		w.Refused("FORBIDDEN NOT_OPERATOR", "a", `mutation { purgeExpiredJoinLinks }`)
		// The data that operators see of a group does not give them access to it.
		w.Refused("FORBIDDEN, FORBIDDEN", "oz", `{ expiredJoinLinks { items { group { containers { items { id } } } } } }`)
		w.Is(w.Does("oz", `mutation { purgeExpiredJoinLinks }`), "purgeExpiredJoinLinks", `2`)
		w.Is(w.Does("oz", expired), "expiredJoinLinks.items", `[]`)
		w.Is(w.Does("a", `query($g: ID!) { group(id: $g) { joinLink { expired } } }`, vars{"g": groups[2]}), "group.joinLink.expired", `false`)
		w.Does("a", generate, vars{"g": groups[1]})
		w.Whole()
	})
}
