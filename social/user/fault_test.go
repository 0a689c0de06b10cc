package user_test

import (
	"testing"

	. "stoa/social/socialtest"
)

// Device tokens and reports are stored completely or not at all, as each scenario checks.
func TestTokensAndReports(t *testing.T) {
	const (
		report     = `mutation { reportUser(userId: "{ben}", reason: "rude") { userId } }`
		set, unset = `mutation { setUserAPNSToken(token: "t") { userId } }`, `mutation { setUserAPNSToken(token: "") { userId } }`
	)
	token, reported := `{"setUserAPNSToken":{"userId":"{ana}"}}`, `{"reportUser":{"userId":"{ben}"}}`
	Run(t, []Scenario{
		{Name: "a token", Given: Users("ana"), As: "ana", Query: set, Want: token},
		{Name: "none anymore", Given: Users("ana").Does("ana", set), As: "ana", Query: unset, Want: token},
		{Name: "a report", Given: Users("ana", "ben"), As: "ana", Query: report, Want: reported},
		{Name: "another one", Given: Users("ana", "ben", "cem").Does("cem", report), As: "ana", Query: report, Want: reported},
	})
}
