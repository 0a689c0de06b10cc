package user_test

import (
	"testing"

	"stoa/social"
)

// Where somebody else keeps the accounts, what only the built-in identity can do is refused,
// and a profile can be removed all the same.
func TestAccountsKeptElsewhere(t *testing.T) {
	w := newWorld(t)
	ana := w.user(social.User{Username: "ana", Email: "ana@example.org"})
	const elsewhere = "Accounts are kept by another identity provider: do this there"
	nobody := w.signedUp("nobody")
	_, err := w.service.CreateAnonymous(t.Context(), nobody)
	refused(t, "createAnonymousUser", err, elsewhere)
	_, err = w.service.CreateWithLogin(t.Context(), nobody, social.GoogleLogin, "token", "nobody", "")
	refused(t, "createGoogleUser", err, elsewhere)
	_, err = w.service.LinkLogin(t.Context(), ana, social.AppleLogin, "token")
	refused(t, "linkAppleLogin", err, elsewhere)
	_, err = w.service.StartContactChange(t.Context(), ana, social.ViaEmail, "new@example.org")
	refused(t, "startChangeUserEmail", err, elsewhere)
	_, err = w.service.FinishContactChange(t.Context(), ana, social.ViaSMS, "123456")
	refused(t, "finishChangeUserPhoneNumber", err, elsewhere)
	_, err = w.service.SetPassword(t.Context(), ana, "x")
	refused(t, "setUserPassword", err, elsewhere)

	seen := must[*social.SeenUser](t)(w.service.Delete(t.Context(), ana.Viewer))
	if *seen.UserStatus() != social.UserDeleting || w.profile(ana.UserID) != nil {
		t.Errorf("deleted as %s, left %v", *seen.UserStatus(), w.profile(ana.UserID))
	}
	w.accounts[ana.UserID] = account{email: "ana@example.org"}
	again := must[*social.SeenUser](t)(w.service.Reset(t.Context(), ana.Viewer, "anew"))
	if again.Username() != "anew" || again.SignedUpAt().Before(now) {
		t.Errorf("came back as %s at %s", again.Username(), again.SignedUpAt())
	}
}
