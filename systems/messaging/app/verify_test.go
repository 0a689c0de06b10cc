package app_test

import (
	"fmt"
	"slices"
	"testing"

	"stoa/internal/apptest"
)

const verifyTags = `mutation($t: String!) { verifyTags(token: $t) { tags } }`

// finds returns whom a user finds, with the tags that are shown as verified.
func (w *world) finds(as, query string) (found []string) {
	w.T.Helper()
	d := w.Does(as, `query($q: String) { findContacts(query: $q) { user { id } matchedTags verifiedTags } }`, vars{"q": query})
	for i := range d.At("findContacts").([]any) {
		at := fmt.Sprintf("findContacts.%d.", i)
		for name, id := range w.ids {
			if id == d.Text(at+"user.id") {
				found = append(found, fmt.Sprint(name, " ", d.At(at+"verifiedTags")))
			}
		}
	}
	return found
}

// Nobody is found under an address or a number that somebody else has verified with the
// service's own identity, whatever the form of the tag and of the search (messaging 5.4#4).
func TestVerifiedByOthers(t *testing.T) {
	test(t, func(w *world) {
		w.joins("searcher", "ana")
		w.account("mallory", vars{"tags": []string{"email:ana@x.org", "tel:+12025550123", "travel"}})
		w.account("eve", vars{"tags": []string{"ana@x.org", "202-555-0123", "tel:2025550123"}})
		finds := func(query string, want ...string) {
			t.Helper()
			if got := w.finds("searcher", query); !slices.Equal(got, want) {
				t.Errorf("%q finds %q, want %q", query, got, want)
			}
		}
		finds("email:ana@x.org", "mallory []") // an unverified claim is found, but not shown as verified
		finds("ana@x.org", "eve []", "mallory []")
		w.People.Identity("ana of the service", apptest.Account{Email: "ana@x.org", Phone: "+12025550123"})
		for _, query := range []string{
			"ana@x.org", "ANA@x.org", "email:ana@x.org", "travel ana@x.org", "202-555-0123", "+12025550123", "tel:+12025550123", "tel:2025550123",
		} {
			finds(query)
		}
		finds("travel, ana@x.org", "mallory []")
		w.Does("searcher", `mutation { setSavedSearch(query: "ana@x.org") }`)
		w.Asked("searcher", `{ findContacts { user { id } } }`, nil, "findContacts", `[]`)

		w.Asked("ana", verifyTags, vars{"t": "ana of the service"}, "verifyTags.tags", `["basic:`+login("ana")+`","email:ana@x.org","tel:+12025550123"]`)
		w.Whole()
		finds("ana@x.org", "ana [email:ana@x.org]")
		finds("202-555-0123", "ana [tel:+12025550123]")
		w.Asked("mallory", `{ me { tags } }`, nil, "me.tags", `["basic:`+login("mallory")+`","travel"]`)
		w.Refused("CONFLICT TAGS_TAKEN", "mallory", `mutation { updateAccount(input: {tags: ["email:ana@x.org"]}) { tags } }`)

		// Verified is what the identity says at present.
		w.People.Identity("ana of the service", apptest.Account{Email: "elsewhere@x.org"})
		finds("ana@x.org", "eve []", "ana []")
		w.People.Identity("another", apptest.Account{Email: "ana@x.org"})
		finds("ana@x.org")
		w.Asked("eve", verifyTags, vars{"t": "another"}, "verifyTags.tags",
			`["202-555-0123","ana@x.org","basic:`+login("eve")+`","email:ana@x.org","tel:2025550123"]`)
		finds("ana@x.org", "eve [ana@x.org email:ana@x.org]")
		w.Whole()
	})
}

// What verifyTags refuses, without a change (messaging 5.3#8).
func TestRefusedVerifications(t *testing.T) {
	test(t, func(w *world) {
		var many []string
		for i := range 16 {
			many = append(many, fmt.Sprintf("tag%02d", i))
		}
		w.account("a", vars{"tags": many})
		w.joins("b")
		w.People.Identity("nobody in particular", apptest.Account{})
		w.People.Identity("a of the service", apptest.Account{Email: "a@example.com"})
		for token, want := range map[string]string{
			"": "BAD_INPUT INVALID_IDENTITY_TOKEN", "made up": "BAD_INPUT INVALID_IDENTITY_TOKEN", "nobody in particular": "PRECONDITION_FAILED NOTHING_VERIFIED",
			w.Token("b"): "BAD_INPUT INVALID_IDENTITY_TOKEN", "a of the service": "LIMIT_EXCEEDED TOO_MANY_TAGS",
		} {
			w.Refused(want, "a", verifyTags, vars{"t": token})
		}
		w.Refused("UNAUTHENTICATED", "oz", verifyTags, vars{"t": "a of the service"})
		w.Asked("b", verifyTags, vars{"t": "a of the service"}, "verifyTags.tags", `["basic:`+login("b")+`","email:a@example.com"]`)
		w.Whole()
	})
}

// Whoever verifies while others claim the same tag has it afterwards, or is the only one
// with it once they repeat (messaging 5.3#8).
func TestRaceOfVerification(t *testing.T) {
	races(t, func(w *world) {
		w.joins("a", "b")
		w.account("c", vars{"tags": []string{"tel:+12025550123"}})
		w.People.Identity("a of the service", apptest.Account{Email: "a@x.org", Phone: "+12025550123"})
		w.AtOnce(3, func(i int) apptest.Answer {
			switch i {
			case 0:
				return w.Asks("a", verifyTags, vars{"t": "a of the service"})
			case 1:
				return w.Asks("b", `mutation { updateAccount(input: {tags: ["email:a@x.org", "b"]}) { tags } }`)
			default:
				return w.Asks("c", `mutation { updateAccount(input: {tags: ["tel:+12025550123", "c"]}) { tags } }`)
			}
		})
		w.Whole()
		for _, query := range []string{"a@x.org", "+12025550123"} {
			if got := w.finds("b", query); len(got) != 1 || got[0][:2] != "a " {
				w.T.Errorf("%s finds %q", query, got)
			}
		}
	})
}
