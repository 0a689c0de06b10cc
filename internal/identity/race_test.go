package identity_test

import (
	"context"
	"testing"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// overtaken is a store in which another process acts first: each function runs once,
// immediately before the call it is named after.
type overtaken struct {
	identity.Store
	save, rotate, addKey func()
}

func once(f *func()) {
	if do := *f; do != nil {
		*f = nil
		do()
	}
}

func (o *overtaken) SaveIdentity(ctx context.Context, before, after identity.Identity) error {
	once(&o.save)
	return o.Store.SaveIdentity(ctx, before, after)
}

func (o *overtaken) RotateTokenFamily(ctx context.Context, before, after identity.TokenFamily) error {
	once(&o.rotate)
	return o.Store.RotateTokenFamily(ctx, before, after)
}

func (o *overtaken) AddKey(ctx context.Context, k identity.Key) error {
	once(&o.addKey)
	return o.Store.AddKey(ctx, k)
}

// twoHouses returns two processes on one store, the second of which can be overtaken.
func twoHouses(t *testing.T) (first, second *house, o *overtaken) {
	t.Helper()
	o = &overtaken{Store: newStore(t)}
	return joinHouse(t, o.Store), joinHouse(t, o), o
}

func TestARefreshThatWasOvertakenIsReuse(t *testing.T) {
	first, second, o := twoHouses(t)
	token := first.signIn("userId", first.ana()).want(200).text("refreshToken")
	var winner response
	o.rotate = func() { winner = first.refresh(token).want(200) }
	second.refresh(token).refused(401, "UNAUTHENTICATED", badRefresh)
	first.refresh(winner.text("refreshToken")).refused(401, "UNAUTHENTICATED", badRefresh)
}

func TestASignUpThatWasOvertakenIsDecidedAnew(t *testing.T) {
	t.Run("the contact is gone", func(t *testing.T) {
		first, second, o := twoHouses(t)
		o.save = func() { first.ana() }
		second.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).
			refused(409, "CONFLICT", "Email `ana@example.com` already taken")
	})
	t.Run("the id is gone", func(t *testing.T) {
		first, second, o := twoHouses(t)
		o.save = func() { first.post("/auth/sign-up", object{"userId": given, "password": password}).want(201) }
		second.post("/auth/sign-up", object{"userId": given, "password": "another horse"}).
			refused(409, "CONFLICT", "An account for userId `"+given+"` already exists")
		first.signIn("userId", given).want(200)
	})
}

func TestACodeThatWasOvertakenLosesNoChange(t *testing.T) {
	first, second, o := twoHouses(t)
	id := first.ana()
	code := first.code(id)
	o.save = func() { first.post("/auth/forgot", object{"email": "ana@example.com"}).want(202) }
	second.post("/auth/confirm", object{"userId": id, "code": code}).want(200)
	stored, _, err := o.Identity(t.Context(), viewer.UserID(id))
	if err != nil || stored.PendingEmail != (identity.PendingContact{}) || stored.Reset.Digest == "" {
		t.Errorf("stored %+v, %v; want the confirmation and the reset code", stored, err)
	}
}

func TestAPasswordKeyThatWasOvertakenIsTheOthers(t *testing.T) {
	first, second, o := twoHouses(t)
	o.addKey = func() { passwordKey(t, first) }
	if !passwordKey(t, second).Equal(passwordKey(t, first)) {
		t.Error("two processes tell apps different keys")
	}
}
