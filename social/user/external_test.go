package user_test

import (
	"testing"

	"stoa/internal/apptest"
	. "stoa/social/socialtest"
)

// With an external identity provider, operations of the built-in one are refused, and
// profiles can still be removed.
func TestAccountsKeptElsewhere(t *testing.T) {
	const elsewhere = "ClientError: Accounts are kept by another identity provider: do this there"
	apptest.Test(t, System, func(w *World) {
		w.Do(Users("ana").Stranger("nobody")...)
		for _, c := range []struct{ by, do string }{
			{"nobody", `createAnonymousUser { TokenType }`},
			{"nobody", `createGoogleUser(username: "nobody", googleIdToken: "token") { userId }`},
			{"ana", `linkAppleLogin(appleIdToken: "token") { userId }`},
			{"ana", `startChangeUserEmail(email: "new@example.org") { userId }`},
			{"ana", `finishChangeUserPhoneNumber(verificationCode: "123456") { userId }`},
			{"ana", `setUserPassword(encryptedPassword: "x") { userId }`},
		} {
			w.Play(Scenario{As: c.by, Query: `mutation { ` + c.do + ` }`, Error: elsewhere})
		}
		w.Play(Scenario{As: "ana", Query: `mutation { deleteUser { userStatus } }`, Want: `{"deleteUser":{"userStatus":"DELETING"}}`})
		if left := profile(w, "ana"); left != nil {
			w.T.Errorf("left %+v", left)
		}
		w.Play(
			Scenario{
				As:    "ana",
				Query: `mutation { resetUser(newUsername: "anew") { username signedUpAt } }`,
				Want:  `{"resetUser":{"username":"anew","signedUpAt":"2026-01-01T12:00:09.000Z"}}`,
			},
		)
	})
}
