package app_test

import (
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// What the team decides, and what authors answer, is stored completely or not at all, as each
// scenario checks by repeating its mutation with each of its store calls failing.
func TestDecisionsOfTheTeam(t *testing.T) {
	const (
		flag   = `mutation { flagPost(postId: "p1", reason: "bad") { postId } }`
		remove = `mutation { decideCase(id: "social:POST:p1", revision: 1, verdict: REMOVE) { status } }`
		claim  = `mutation { claimCase(id: "social:POST:p1") { id } }`
		appeal = `mutation { appealDecision(caseId: "social:POST:p1", text: "a joke") { status } }`
		ask    = `mutation { replyToAppeal(id: "social:POST:p1", text: "which one?") { revision } }`
		grant  = `mutation { grantRole(userId: "{ana}", role: MODERATOR) { role } }`
		banned = `mutation { suspendPerson(id: "{ana}", reason: "spam", banContacts: true) { suspension { reason } } }`
	)
	team := func(g Given, as, query string) Given {
		return g.And(func(w *World) { w.OperatorDoes(as, w.People.Fill(query)) }, (*World).Settle)
	}
	users := Users("mod", "ozzy", "ana", "ben")
	reported := users.Post("ana", "p1").Does("ben", flag).And((*World).Settle)
	removed := team(reported, "mod", remove)
	appealed := removed.Does("ana", appeal)
	const operator = apptest.OperatorPath
	RunStaffed(t, []Scenario{
		{Name: "claimed", Given: reported, Path: operator, As: "mod", Query: claim, Want: `{"claimCase":{"id":"social:POST:p1"}}`, Adds: true},
		{Name: "kept", Given: reported, Path: operator, As: "mod",
			Query: `mutation { decideCase(id: "social:POST:p1", revision: 1, verdict: KEEP, note: "fine") { status } }`, Want: `{"decideCase":{"status":"DECIDED"}}`},
		{Name: "removed", Given: team(reported, "mod", claim), Path: operator, As: "mod", Query: remove, Want: `{"decideCase":{"status":"DECIDED"}}`},
		{Name: "removed with others", Given: reported, Path: operator, As: "mod",
			Query: `mutation { decideCases(cases: [{id: "social:POST:p1", revision: 1}], verdict: REMOVE) { id code } }`,
			Want:  `{"decideCases":[{"id":"social:POST:p1","code":null}]}`},
		{Name: "appealed", Given: removed, As: "ana", Query: appeal, Want: `{"appealDecision":{"status":"OPEN"}}`},
		{Name: "asked", Given: appealed, Path: operator, As: "ozzy", Query: ask, Want: `{"replyToAppeal":{"revision":3}}`, Adds: true},
		{Name: "answered", Given: team(appealed, "ozzy", ask), As: "ana",
			Query: `mutation { replyToAppeal(caseId: "social:POST:p1", text: "that one") { status } }`, Want: `{"replyToAppeal":{"status":"OPEN"}}`, Adds: true},
		{Name: "restored", Given: appealed, Path: operator, As: "ozzy",
			Query: `mutation { decideCase(id: "social:POST:p1", revision: 3, verdict: KEEP) { status } }`, Want: `{"decideCase":{"status":"DECIDED"}}`},
		{Name: "granted", Given: users, Path: operator, As: "ozzy", Query: grant, Want: `{"grantRole":{"role":"MODERATOR"}}`},
		{Name: "revoked", Given: team(users, "ozzy", grant), Path: operator, As: "ozzy",
			Query: `mutation { revokeRole(userId: "{ana}", role: MODERATOR) { role } }`, Want: `{"revokeRole":{"role":null}}`},
		{Name: "suspended", Given: users, Path: operator, As: "mod", Query: banned, Want: `{"suspendPerson":{"suspension":{"reason":"spam"}}}`, Adds: true},
		{Name: "reinstated", Given: team(users, "mod", banned), Path: operator, As: "mod",
			Query: `mutation { reinstatePerson(id: "{ana}") { suspension { reason } } }`, Want: `{"reinstatePerson":{"suspension":null}}`, Adds: true},
		{Name: "signed out", Given: users, Path: operator, As: "mod",
			Query: `mutation { signOutPerson(id: "{ana}") { id } }`, Want: `{"signOutPerson":{"id":"{ana}"}}`, Adds: true},
		{Name: "erased", Given: Users("ozzy", "ana"), Path: operator, As: "ozzy",
			Query: `mutation { erasePerson(id: "{ana}", reason: "asked for it") { systems } }`, Want: `{"erasePerson":{"systems":[]}}`, Adds: true},
		{Name: "noted", Given: users, Path: operator, As: "mod",
			Query: `mutation { noteOnPerson(id: "{ana}", note: "careful") { id } }`, Want: `{"noteOnPerson":{"id":"{ana}"}}`, Adds: true},
		{Name: "saved", Given: users, Path: operator, As: "mod",
			Query: `mutation { saveTemplate(title: "Hello", text: "Hello there") { title } }`, Want: `{"saveTemplate":{"title":"Hello"}}`, Adds: true},
	})
}
