package app_test

import (
	"testing"
	"time"

	"stoa/internal/host"
	. "stoa/social/socialtest"
)

const (
	grant   = `mutation { grantRole(userId: "{eve}", role: MODERATOR) { id role systems username } }`
	revoke  = `mutation { revokeRole(userId: "{eve}", role: MODERATOR) { id role } }`
	audited = `{ audit { items { actor role action subject before after note } } }`
)

// operator 1#3 and 2#1: nothing is told to people without a role, and moderators do not run the service.
func TestOperatorsAPIIsForThoseWithARole(t *testing.T) {
	TestStaffed(t, Users("ana", "mod", "ozzy"), func(w *World) {
		for _, query := range []string{`{ __typename }`, `{ __schema { types { name } } }`, `{ me { role } }`, `{ nothing }`, `{`, `subscription { none }`} {
			for _, as := range []string{"ana", ""} {
				a := w.OperatorAsks(as, query)
				if len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "FORBIDDEN" || len(a.Errors[0].ErrorInfo) != 1 || a.Errors[0].ErrorInfo[0] != "NOT_OPERATOR" {
					t.Errorf("%q asks %s: %+v", as, query, a)
				}
			}
		}
		w.OperatorAnswered("mod", `{ me { role systems } __schema { queryType { name } } }`,
			`{"__schema":{"queryType":{"name":"Query"}},"me":{"role":"MODERATOR","systems":["social"]}}`)
		w.Is(w.OperatorDoes("ozzy", `{ me { role } }`), "me.role", `"OPERATOR"`)
		for _, query := range []string{`{ audit { nextToken } }`, `{ jobs { name } }`, `{ health { version } }`, `{ settings { name } }`, grant, revoke,
			`mutation { runJob(name: "x") { name } }`} {
			w.People.Identity("eve")
			w.OperatorRefused("FORBIDDEN", "mod", query)
		}
	})
}

// operator 1#2, 1#4 and 4#6: a role that an operator gives holds in the next request, also in
// the social system, and ends as soon as it is taken; each change leaves a line.
func TestRolesAreGivenAndTaken(t *testing.T) {
	TestStaffed(t, Users("ana", "eve", "mod", "ozzy").Post("ana", "p1").Post("ana", "p2"), func(w *World) {
		w.OperatorRefused("FORBIDDEN", "eve", `{ me { role } }`)
		w.OperatorAnswered("ozzy", grant, `{"grantRole":{"id":"{eve}","role":"MODERATOR","systems":["social"],"username":"eve"}}`)
		w.OperatorDoes("ozzy", grant) // again: no change
		w.OperatorAnswered("eve", `{ me { role userId } }`, `{"me":{"role":"MODERATOR","userId":"{eve}"}}`)
		w.OperatorRefused("FORBIDDEN", "eve", `{ jobs { name } }`)
		w.Does("eve", `mutation { flagPost(postId: "p1") { postId } }`)
		w.Settle()
		w.Is(w.Does("ana", `{ post(postId: "p1") { postStatus } }`), "post.postStatus", `"ARCHIVED"`)

		w.OperatorAnswered("ozzy", revoke, `{"revokeRole":{"id":"{eve}","role":null}}`)
		w.OperatorDoes("ozzy", revoke) // again: no change
		w.OperatorRefused("FORBIDDEN", "eve", `{ me { role } }`)
		w.Does("eve", `mutation { flagPost(postId: "p2") { postId } }`)
		w.Settle()
		w.Is(w.Does("ana", `{ post(postId: "p2") { postStatus } }`), "post.postStatus", `"COMPLETED"`)

		w.OperatorAnswered("ozzy", audited, `{"audit":{"items":[
			{"actor":"{ozzy}","role":"OPERATOR","action":"revokeRole","subject":"{eve}","before":"{\"role\":\"MODERATOR\"}","after":null,"note":null},
			{"actor":"{ozzy}","role":"OPERATOR","action":"grantRole","subject":"{eve}","before":null,"after":"{\"role\":\"MODERATOR\"}","note":null}]}}`)
		for args, n := range map[string]int{
			`actor: "{ozzy}"`: 2, `actor: "{eve}"`: 0, `subject: "{eve}"`: 2, `subject: "{ozzy}"`: 0, `actor: "{ozzy}", subject: "{eve}"`: 2, `actor: "{mod}", subject: "{eve}"`: 0,
		} {
			if got := len(w.OperatorDoes("ozzy", `{ audit(`+args+`) { items { id } } }`).At("audit.items").([]any)); got != n {
				t.Errorf("%s: %d lines, want %d", args, got, n)
			}
		}
	})
}

// operator 1#2: who may not be given a role, or lose one, and what is not there.
func TestRolesAreRefused(t *testing.T) {
	TestStaffed(t, Users("ana", "mod", "ozzy"), func(w *World) {
		for query, want := range map[string]string{
			`mutation { grantRole(userId: "{ana}", role: OPERATOR) { id } }`:                                           "FORBIDDEN",
			`mutation { revokeRole(userId: "{mod}", role: OPERATOR) { id } }`:                                          "FORBIDDEN",
			`mutation { grantRole(userId: "us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f", role: MODERATOR) { id } }`: "NOT_FOUND",
			`mutation { revokeRole(userId: "nobody", role: MODERATOR) { id } }`:                                        "NOT_FOUND",
			`mutation { grantRole(userId: "a/b", role: MODERATOR) { id } }`:                                            "NOT_FOUND",
			`mutation { revokeRole(userId: "{ozzy}", role: MODERATOR) { id } }`:                                        "FORBIDDEN",
			`mutation { revokeRole(userId: "{mod}", role: MODERATOR) { id } }`:                                         "FORBIDDEN",
			`mutation { runJob(name: "none") { name } }`:                                                               "NOT_FOUND",
		} {
			w.OperatorRefused(want, "ozzy", query)
		}
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items", `[]`)
	})
}

// operator 1#2: another process takes a role away, and this one notices within half a second.
func TestRolesEndInOtherProcesses(t *testing.T) {
	TestStaffed(t, Users("eve", "ozzy"), func(w *World) {
		other := w.Beside("other")
		w.OperatorDoes("ozzy", grant)
		other.OperatorDoes("eve", `{ me { role } }`)
		w.OperatorDoes("ozzy", revoke)
		other.OperatorRefused("FORBIDDEN", "eve", `{ me { role } }`)
	})
}

// operator 2#1 and 4#6: an operator sees jobs with their last run, and runs one.
func TestJobsRunOnDemand(t *testing.T) {
	TestStaffed(t, Users("ozzy"), func(w *World) {
		w.OperatorAnswered("ozzy", `mutation { runJob(name: "operator.end-audit") { name schedule startedAt endedAt failure heldBy } }`,
			`{"runJob":{"name":"operator.end-audit","schedule":"24h0m0s","startedAt":"2026-01-01T12:00:02.000Z","endedAt":"2026-01-01T12:00:02.000Z","failure":null,"heldBy":null}}`)
		if jobs := w.OperatorDoes("ozzy", `{ jobs { name } }`).At("jobs").([]any); len(jobs) < 5 {
			t.Errorf("jobs %v", jobs)
		}
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items.0.action", `"runJob"`)
		health := w.OperatorDoes("ozzy", `{ health { uptime problem memory undelivered { id } } }`)
		w.Is(health, "health.problem", `null`)
		w.Is(health, "health.undelivered", `[]`)

		w.Advance(3 * 365 * 24 * time.Hour)
		w.RunJob(host.EndAudit)
		w.Is(w.OperatorDoes("ozzy", audited), "audit.items", `[]`)
	})
}
