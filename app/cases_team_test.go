package app_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/operator"
	. "stoa/social/socialtest"
)

// staffed is TestStaffed in a world with house rules.
func staffed(t *testing.T, given Given, f func(w *World)) {
	t.Helper()
	TestStaffed(t, given, func(w *World) {
		w.Host.SetHouseRules(operator.HouseRules{{ID: "kind", Title: "Be kind", Text: "No insults."}, {ID: "spam", Title: "No spam", Text: "None."}})
		f(w)
	})
}

const (
	ruled = `mutation($id: ID!, $r: Int!, $v: Verdict!, $rule: ID) { decideCase(id: $id, revision: $r, verdict: $v, rule: $rule)
		{ status revision rule { title } decisions { rule { id } } } }`
	cardsOf = `{ self { cards { items { title subTitle action } } } }`
	appeals = `mutation($id: ID!, $t: String!) { appealDecision(caseId: $id, text: $t) { caseId status text messages { text } } }`
	replies = `mutation($id: ID!, $t: String!) { replyToAppeal(caseId: $id, text: $t) { status messages { fromAuthor text } } }`
)

var p1 = apptest.Vars{"id": "social:POST:p1"}

// operator 7#1: a removal cites a house rule, and its author gets a card that says so.
func TestRemovalsCiteRules(t *testing.T) {
	staffed(t, Users("mod", "ana", "ben").Post("ana", "p1"), func(w *World) {
		w.OperatorAnswered("mod", `{ rules { id title text } }`,
			`{"rules":[{"id":"kind","title":"Be kind","text":"No insults."},{"id":"spam","title":"No spam","text":"None."}]}`)
		flags(w, "p1", "ben")
		w.OperatorRefused("NOT_FOUND", "mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "none"})
		w.OperatorAnswered("mod", ruled, `{"decideCase":{"status":"DECIDED","revision":2,"rule":{"title":"Be kind"},"decisions":[{"rule":{"id":"kind"}}]}}`,
			p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "kind"})
		w.Settle()
		cards := w.Does("ana", cardsOf)
		w.Is(cards, "self.cards.items.0.title", `"Your post was removed by a moderator"`)
		w.Is(cards, "self.cards.items.0.subTitle", `"Rule: Be kind. You can appeal within 30 days."`)
		if url := cards.Text("self.cards.items.0.action"); !strings.HasSuffix(url, "/moderation/social:POST:p1") {
			t.Errorf("the card links to %s", url)
		}
		w.Whole()
	})
}

// operator 7#2: an author appeals once a decision, also while disabled; whoever decided cannot
// decide the appeal; either side writes up to three times, and the outcome is told.
func TestAppeals(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben").Post("ana", "p1"), func(w *World) {
		refused := func(as, query, want string, v ...apptest.Vars) {
			t.Helper()
			a := w.Asks(as, query, v...)
			if len(a.Errors) != 1 || a.Errors[0].Message != want {
				t.Errorf("%s: %+v, want %s", as, a.Errors, want)
			}
		}
		text := apptest.Vars{"t": "It was a joke"}
		missing := "ClientError: Case `social:POST:p1` does not exist"
		refused("ana", appeals, missing, p1, text)
		flags(w, "p1", "ben")
		refused("ana", appeals, missing, p1, text)
		w.OperatorDoes("mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "kind"})
		w.Settle()
		refused("ben", appeals, missing, p1, text)
		refused("ana", appeals, "ClientError: Text cannot be longer than 2000 characters", p1, apptest.Vars{"t": strings.Repeat("é", 2001)})
		for _, unfit := range []string{"", " \n", strings.Repeat("é", 2001)} {
			w.Refused("INVALID", "ana", appeals, p1, apptest.Vars{"t": unfit})
			w.OperatorRefused("BAD_INPUT", "mod", `mutation($t: String!) { saveTemplate(title: "Hello", text: $t) { id } }`, apptest.Vars{"t": unfit})
		}
		w.OperatorRefused("BAD_INPUT", "mod", `mutation { saveTemplate(title: " ", text: "Seen.") { id } }`)
		w.Do(Given{}.Status("ana", "DISABLED")...)
		w.Is(w.Does("ana", appeals, p1, text), "appealDecision", `{"caseId":"social:POST:p1","messages":[],"status":"OPEN","text":"It was a joke"}`)
		refused("ana", appeals, "ClientError: The decision about case `social:POST:p1` has already been appealed", p1, text)

		w.OperatorAnswered("mod", `{ cases { items { revision appeal { text decidedBy { username } } } } }`,
			`{"cases":{"items":[{"revision":3,"appeal":{"text":"It was a joke","decidedBy":{"username":"mod"}}}]}}`)
		w.OperatorRefused("FORBIDDEN", "mod", decide, p1, apptest.Vars{"r": 3, "v": "REMOVE"})
		const answer = `mutation($id: ID!, $t: String!) { replyToAppeal(id: $id, text: $t) { revision appeal { messages { fromAuthor text } } } }`
		w.OperatorAnswered("ozzy", answer, `{"replyToAppeal":{"revision":3,"appeal":{"messages":[{"fromAuthor":false,"text":"Which one?"}]}}}`,
			p1, apptest.Vars{"t": "Which one?"})
		for range 3 {
			w.Does("ana", replies, p1, apptest.Vars{"t": "That one"})
		}
		refused("ana", replies, "ClientError: There can be 3 messages each way about an appeal", p1, text)
		w.OperatorDoes("ozzy", decide, p1, apptest.Vars{"r": 3, "v": "KEEP"})
		w.Settle()
		w.Do(Given{}.Status("ana", "ACTIVE")...)
		w.Is(w.Does("ana", `{ post(postId: "p1") { postStatus } }`), "post.postStatus", `"COMPLETED"`)
		titles := w.Does("ana", cardsOf).List("self.cards.items", "title")
		for _, title := range []string{"Your appeal was successful", "A moderator answered your appeal", "Your post was removed by a moderator"} {
			if !strings.Contains(titles, title) {
				t.Errorf("the cards are %s", titles)
			}
		}
		refused("ana", appeals, "ClientError: The decision about case `social:POST:p1` was not against you", p1, text)
		w.Whole()
	})
}

// operator 3#5 and 7#2: an author who has deleted what was removed has nothing left to appeal: a
// moderator could not look at it, and no decision would bring it back.
func TestAppealsAfterDeletion(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben").Post("ana", "p1"), func(w *World) {
		flags(w, "p1", "ben")
		w.OperatorDoes("mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "kind"})
		w.Settle()
		w.Does("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		w.Settle()
		a := w.Asks("ana", appeals, p1, apptest.Vars{"t": "It was a joke"})
		if len(a.Errors) != 1 || a.Errors[0].Message != "ClientError: What case `social:POST:p1` is about has been deleted" {
			t.Errorf("an appeal is answered %s %v", a.Data, a.Errors)
		}
		w.OperatorAnswered("mod", `{ cases { items { id } } case(id: "social:POST:p1") { status revision removedBy decisions { verdict } } }`,
			`{"cases":{"items":[]},"case":{"status":"DECIDED","revision":2,"removedBy":"AUTHOR","decisions":[{"verdict":"REMOVE"}]}}`)
		w.Whole()
	})
}

// operator 7#2: whoever decided decides the appeal if the others who have a role are suspended, have
// deleted their accounts, or never had one.
func TestAppealsWithoutAnotherModerator(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben", "cem", "dan").Post("ana", "p1"), func(w *World) {
		for _, who := range []string{"{cem}", "{dan}"} {
			w.OperatorDoes("ozzy", `mutation($i: ID!) { grantRole(userId: $i, role: MODERATOR) { id } }`, apptest.Vars{"i": who})
		}
		flags(w, "p1", "ben")
		w.OperatorDoes("ozzy", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "kind"})
		w.Does("ana", appeals, p1, apptest.Vars{"t": "It was a joke"})
		for _, gone := range []func(){
			func() { w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{mod}", "r": "spam"}) },
			func() { w.OperatorDoes("ozzy", suspend, apptest.Vars{"i": "{cem}", "r": "spam"}) },
			func() { w.Does("dan", `mutation { deleteUser { userId } }`) },
		} {
			w.OperatorRefused("FORBIDDEN", "ozzy", decide, p1, apptest.Vars{"r": 3, "v": "REMOVE"})
			gone()
			w.Settle()
		}
		w.OperatorDoes("ozzy", decide, p1, apptest.Vars{"r": 3, "v": "REMOVE"})
	})
}

// operator 7#3-4: cases are due after a day, others see who looks at one, and many are decided
// at once, each with an outcome of its own.
func TestTeams(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		flags(w, "p1", "ben")
		flags(w, "p2", "ben")
		const claim, look = `mutation { claimCase(id: "social:POST:p1") { claimedBy { username } claimedUntil } }`, `{ case(id: "social:POST:p1") { claimedBy { username } dueAt } }`
		w.Is(w.OperatorDoes("mod", claim), "claimCase.claimedBy.username", `"mod"`)
		w.Is(w.OperatorDoes("ozzy", look), "case.claimedBy.username", `"mod"`)
		w.OperatorRefused("CONFLICT", "ozzy", claim)
		w.Advance(10 * time.Minute)
		w.OperatorDoes("mod", look) // renews it
		w.Advance(10 * time.Minute)
		w.OperatorRefused("CONFLICT", "ozzy", claim)
		w.Advance(10 * time.Minute)
		w.Is(w.OperatorDoes("mod", look), "case.claimedBy", `null`)
		w.OperatorDoes("ozzy", claim)
		w.OperatorRefused("NOT_FOUND", "ozzy", `mutation { claimCase(id: "social:POST:none") { id } }`)

		if n, err := w.Host.Desk.Service.Overdue(t.Context(), 10); n != 0 || err != nil {
			t.Errorf("%d are overdue: %v", n, err)
		}
		w.Advance(24 * time.Hour)
		if n, err := w.Host.Desk.Service.Overdue(t.Context(), 10); n != 2 || err != nil {
			t.Errorf("%d are overdue: %v", n, err)
		}
		w.OperatorAnswered("mod", `mutation { decideCases(cases: [{id: "social:POST:p1", revision: 1}, {id: "social:POST:p2", revision: 7}, {id: "none", revision: 1}],
			verdict: REMOVE, rule: "spam") { id code case { status revision claimedBy { username } dueAt } } }`,
			`{"decideCases":[{"id":"social:POST:p1","code":null,"case":{"status":"DECIDED","revision":2,"claimedBy":null,"dueAt":null}},
			{"id":"social:POST:p2","code":"CONFLICT","case":{"status":"OPEN","revision":1,"claimedBy":null,"dueAt":"2026-01-02T12:00:08.000Z"}},
			{"id":"none","code":"NOT_FOUND","case":null}]}`)
		w.OperatorDoes("mod", `mutation { saveTemplate(title: "Hello", text: "We have seen this.") { id } }`)
		id := w.OperatorDoes("ozzy", `{ templates { id title text } }`).Text("templates.0.id")
		w.OperatorDoes("ozzy", `mutation($id: ID) { saveTemplate(id: $id, title: "Hi", text: "Seen.") { id } }`, apptest.Vars{"id": id})
		w.OperatorAnswered("mod", `{ templates { title text } }`, `{"templates":[{"title":"Hi","text":"Seen."}]}`)
		w.OperatorRefused("NOT_FOUND", "mod", `mutation { removeTemplate(id: "none") }`)
		w.OperatorDoes("mod", `mutation($id: ID!) { removeTemplate(id: $id) }`, apptest.Vars{"id": id})
		w.OperatorAnswered("mod", `{ templates { id } }`, `{"templates":[]}`)
		w.Whole()
	})
}

// operator 3#5 and 7#4: a case that is decided by itself ends the claim, like any other.
func TestClaimsEndWithTheItem(t *testing.T) {
	staffed(t, Users("mod", "ana", "ben").Post("ana", "p1"), func(w *World) {
		flags(w, "p1", "ben")
		w.OperatorDoes("mod", `mutation { claimCase(id: "social:POST:p1") { id } }`)
		w.Does("ana", `mutation { deletePost(postId: "p1") { postId } }`)
		w.OperatorAnswered("mod", `{ case(id: "social:POST:p1") { status claimedBy { username } claimedUntil } }`,
			`{"case":{"status":"DECIDED","claimedBy":null,"claimedUntil":null}}`)
	})
}

// operator 7#5: figures about the cases of a period, and the same as a table without names.
func TestStatistics(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		flags(w, "p1", "ben")
		flags(w, "p2", "ben")
		w.Advance(time.Hour)
		w.OperatorDoes("mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE", "rule": "kind"})
		w.Settle()
		w.Does("ana", appeals, p1, apptest.Vars{"t": "no"})
		w.Advance(2 * time.Hour)
		w.OperatorDoes("ozzy", ruled, p1, apptest.Vars{"r": 3, "v": "KEEP"})
		w.Settle()
		const figures = `{ statistics(from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") {
			total { opened decided removed appealed overturned medianTime p95Time } byRule { name decided } byModerator { name decided } byReporter { userId decided overturned } csv } }`
		got := w.OperatorDoes("ozzy", figures)
		w.Is(got, "statistics.total", `{"appealed":1,"decided":2,"medianTime":5401.5,"opened":2,"overturned":1,"p95Time":7201,"removed":1}`)
		w.Is(got, "statistics.byRule", `[{"decided":1,"name":""},{"decided":1,"name":"kind"}]`)
		w.Is(got, "statistics.byReporter", w.People.Fill(`[{"decided":1,"overturned":1,"userId":"{ben}"}]`))
		lines, err := csv.NewReader(strings.NewReader(got.Text("statistics.csv"))).ReadAll()
		if err != nil || strings.Join(lines[1], " ") != "total  2 2 1 1 1 5401.5 7201" || strings.Contains(got.Text("statistics.csv"), string(w.ID("mod"))) {
			t.Errorf("the table is %v: %v", lines, err)
		}
		w.OperatorRefused("BAD_INPUT", "mod", `{ statistics(from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { csv } }`)
	})
}

// operator 7#5: a decision counts also if its author appeals and is then erased.
func TestStatisticsAfterErasure(t *testing.T) {
	staffed(t, Users("mod", "ozzy", "ana", "ben").Post("ana", "p1"), func(w *World) {
		flags(w, "p1", "ben")
		w.Advance(48 * time.Hour)
		w.OperatorDoes("mod", ruled, p1, apptest.Vars{"r": 1, "v": "REMOVE"})
		w.Does("ana", appeals, p1, apptest.Vars{"t": "no"})
		const figures = `{ statistics(from: "2026-01-02T00:00:00Z", to: "2026-01-05T00:00:00Z") { total { decided removed } } }`
		w.OperatorAnswered("ozzy", figures, `{"statistics":{"total":{"decided":1,"removed":1}}}`)
		w.OperatorDoes("ozzy", erase)
		w.Settle()
		w.OperatorAnswered("ozzy", figures, `{"statistics":{"total":{"decided":1,"removed":1}}}`)
	})
}
