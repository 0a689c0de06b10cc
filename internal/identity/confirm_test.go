package identity_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/viewer"
)

// newcomer signs up with local identity and returns the id and the code that was sent.
func newcomer(t *testing.T, h *house, p *postbox) (id, code string) {
	t.Helper()
	id = h.ana()
	m, _ := p.last(t)
	return id, m.Code
}

// users A4 and A5: the link of a sign-up, and an e-mail address that can sign in only once it is
// verified.
func TestContactsCountOnceConfirmed(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id, code := newcomer(t, h, p)

	m, _ := p.last(t)
	want := "https://app.test/confirm/email/" + id + "/" + code
	if len(code) != 6 || m.To != "ana@example.com" || m.Channel != "email" || m.Link != want || m.Subject != "APP: Confirm your e-mail address" {
		t.Errorf("sent %+v", m)
	}
	h.signIn("email", "ana@example.com").refused(401, "UNCONFIRMED", notConfirmed)
	h.signIn("userId", id).want(200)
	if r := h.post("/auth/confirm", object{"userId": id, "code": code}).want(200); r.text("userId") != id {
		t.Errorf("answered %s", r.raw)
	}
	h.signIn("email", "ana@example.com").want(200)
	h.post("/auth/confirm", object{"userId": id, "code": code}).refused(400, "INVALID", "Verification code is invalid")
}

const notConfirmed = "Not confirmed yet: confirm with the code that was sent at sign-up, or ask for another."

// Only somebody with the right password learns that a contact awaits confirmation, and by which
// user id it is confirmed on another device.
func TestSignInBeforeConfirmation(t *testing.T) {
	for kind, contact := range map[string]string{"email": "ana@example.com", "phone": "+12025550123"} {
		p := &postbox{}
		h := newHouse(t, local(p))
		mismatch := func(body object) {
			t.Helper()
			h.post("/auth/sign-in", body).refused(401, "UNAUTHENTICATED", "Incorrect username or password.")
		}
		mismatch(object{kind: contact, "password": password})
		first := h.post("/auth/sign-up", object{kind: contact, "password": password}).want(201).text("userId")
		m, _ := p.last(t)
		r := h.post("/auth/sign-in", object{kind: contact, "password": password}).refused(401, "UNCONFIRMED", notConfirmed)
		if got := r.body["error"].(object)["userId"]; got != first || r.header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("answered %s", r.raw)
		}
		mismatch(object{kind: contact, "password": "another horse"})

		h.turn(time.Second) // the latest of several sign-ups counts
		second := h.post("/auth/sign-up", object{kind: contact, "password": "another horse"}).want(201).text("userId")
		mismatch(object{kind: contact, "password": password})
		h.post("/auth/sign-in", object{kind: contact, "password": "another horse"}).refused(401, "UNCONFIRMED", notConfirmed)

		h.post("/auth/confirm", object{"userId": first, "code": m.Code}).want(200)
		h.post("/auth/sign-in", object{kind: contact, "password": password}).want(200)
		mismatch(object{kind: contact, "password": "another horse"})

		session := h.post("/auth/sign-in", object{"userId": second, "password": "another horse"}).want(200)
		h.do("DELETE", "/auth/me", nil, bearer(session.text("accessToken"))...).want(204)
		if _, found, err := h.store.Claimant(t.Context(), contact); found || err != nil {
			t.Errorf("%s is still claimed: %v", contact, err)
		}
	}
}

// users A8: sign-ups are confirmed at once with dev identity only. Nothing in a request has that
// effect elsewhere, as sign-ups have no such fields.
func TestOnlyDevIdentityConfirmsByItself(t *testing.T) {
	for mode, confirmed := range map[identity.Mode]bool{identity.Dev: true, identity.Local: false} {
		h := newHouse(t, local(&postbox{}), func(c *identity.Config) { c.Mode = mode })
		for _, field := range []string{"autoConfirmUser", "family_name"} {
			h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password, field: "TESTER"}).
				refused(400, "INVALID", "Unknown field `"+field+"`: known are `userId`, `email`, `phone`, `password`")
		}
		id := h.ana()
		if email, _, _, err := h.issuer.Account(t.Context(), viewer.UserID(id)); (email != "") != confirmed || err != nil {
			t.Errorf("in %v identity the verified e-mail is %q, %v", mode, email, err)
		}
	}
}

func TestCodesInDevWorkToo(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	code := h.code(id)
	h.post("/auth/confirm", object{"userId": id, "code": wrong(code)}).refused(400, "INVALID", "Verification code is invalid")
	h.post("/auth/confirm", object{"userId": id, "code": code}).want(200)
	h.signIn("email", "ana@example.com").want(200)
}

// users A5: a code confirms the contact that it was sent to, and no other.
func TestEachContactHasItsCode(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "phone": "+12025550123", "password": password}).want(201).text("userId")
	if _, n := p.last(t); n != 2 {
		t.Fatalf("%d messages, want 2", n)
	}
	email, sms := p.messages[0], p.messages[1]
	if sms.Channel != "sms" || sms.To != "+12025550123" || sms.Link != "" || sms.Subject != "" || sms.Text != "Your APP code to confirm your phone number: "+sms.Code {
		t.Errorf("sent %+v", sms)
	}
	h.post("/auth/confirm", object{"userId": id, "code": sms.Code}).want(200)
	h.signIn("phone", "+12025550123").want(200)
	h.signIn("email", "ana@example.com").want(401)
	h.post("/auth/confirm", object{"userId": id, "code": email.Code}).want(200)
	h.signIn("email", "ana@example.com").want(200)
}

func TestCodeRefusals(t *testing.T) {
	const invalid = "Verification code is invalid"
	for _, row := range []struct {
		name string
		try  func(h *house, id, code string) response
	}{
		{"wrong", func(h *house, id, code string) response {
			return h.post("/auth/confirm", object{"userId": id, "code": wrong(code)})
		}},
		{"another user's", func(h *house, id, code string) response {
			return h.post("/auth/confirm", object{"userId": given, "code": code})
		}},
		{"no such user", func(h *house, id, code string) response {
			return h.post("/auth/confirm", object{"userId": "nobody", "code": code})
		}},
		{"expired", func(h *house, id, code string) response {
			h.turn(15 * time.Minute)
			return h.post("/auth/confirm", object{"userId": id, "code": code})
		}},
		{"after five wrong ones", func(h *house, id, code string) response {
			for range 5 {
				h.post("/auth/confirm", object{"userId": id, "code": wrong(code)}).refused(400, "INVALID", invalid)
			}
			return h.post("/auth/confirm", object{"userId": id, "code": code})
		}},
		{"replaced when about to expire", func(h *house, id, code string) response {
			h.turn(12 * time.Minute)
			h.post("/auth/resend", object{"userId": id}).want(202)
			return h.post("/auth/confirm", object{"userId": id, "code": code})
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := &postbox{}
			h := newHouse(t, local(p))
			id, code := newcomer(t, h, p)
			row.try(h, id, code).refused(400, "INVALID", invalid)
			h.signIn("email", "ana@example.com").want(401)

			h.post("/auth/resend", object{"userId": id}).want(202)
			m, _ := p.last(t)
			h.post("/auth/confirm", object{"userId": id, "code": m.Code}).want(200)
		})
	}
}

func TestFourWrongCodesAreForgiven(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id, code := newcomer(t, h, p)
	for range 4 {
		h.post("/auth/confirm", object{"userId": id, "code": wrong(code)}).want(400)
	}
	h.turn(15*time.Minute - time.Second)
	h.post("/auth/confirm", object{"userId": id, "code": code}).want(200)
}

func TestRacingGuessesShareTheTries(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id, code := newcomer(t, h, p)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { h.post("/auth/confirm", object{"userId": id, "code": wrong(code)}).want(400) })
	}
	wg.Wait()
	h.post("/auth/confirm", object{"userId": id, "code": wrong(code)}).want(400)
	h.post("/auth/confirm", object{"userId": id, "code": code}).want(400)
}

func TestConfirmingATakenContact(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	first, code := newcomer(t, h, p)
	second, other := newcomer(t, h, p) // waiting for an address claims nothing
	h.post("/auth/confirm", object{"userId": first, "code": code}).want(200)
	h.post("/auth/confirm", object{"userId": second, "code": other}).refused(409, "CONFLICT", "Email `ana@example.com` already taken")
	if user := h.signIn("email", "ana@example.com").want(200); h.owner(user) != first {
		t.Error("the address changed hands")
	}
}

func TestResendTellsNothing(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id, code := newcomer(t, h, p)
	h.post("/auth/confirm", object{"userId": id, "code": code}).want(200)
	_, before := p.last(t)
	for _, who := range []string{id, given, "nobody"} {
		if r := h.post("/auth/resend", object{"userId": who}).want(202); r.raw != "{}\n" {
			t.Errorf("answered %q", r.raw)
		}
	}
	if _, after := p.last(t); after != before {
		t.Errorf("%d messages were sent to nobody", after-before)
	}
}

func TestChannelsThatAreNotThere(t *testing.T) {
	p := &postbox{noSMS: true}
	h := newHouse(t, local(p))
	h.post("/auth/sign-up", object{"phone": "+12025550123", "password": password}).
		refused(400, "INVALID", "No sms can be sent by this service, so `+12025550123` could never be confirmed: leave it out")
}

func TestMailServerIsDown(t *testing.T) {
	p := &postbox{fault: errors.New("no route")}
	h := newHouse(t, local(p))
	id := h.ana()
	h.signIn("userId", id).want(200)
	p.fault = nil
	h.post("/auth/resend", object{"userId": id}).want(202)
	m, _ := p.last(t)
	h.post("/auth/confirm", object{"userId": id, "code": m.Code}).want(200)
}

// users A5: the link of a forgotten password. users A6: only dev identity signs in without a password.
func TestOutbox(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.turn(time.Second)
	h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
	messages := h.get("/auth/dev/outbox?userId=" + id).want(200).body["messages"].([]any)
	if len(messages) != 2 {
		t.Fatalf("%d messages, want 2", len(messages))
	}
	newest := messages[0].(object)
	if newest["subject"] != "APP: Choose a new password" || newest["channel"] != "email" || newest["to"] != "ana@example.com" ||
		newest["link"] != "https://app.test/confirm/forgot/"+id+"/"+newest["code"].(string) || newest["sentAt"] != "2026-01-02T03:04:06.123456Z" {
		t.Errorf("newest is %v", newest)
	}
	if r := h.get("/auth/dev/outbox?userId=" + given).want(200); len(r.body["messages"].([]any)) != 0 {
		t.Errorf("a stranger's outbox is %s", r.raw)
	}
	h.get("/auth/dev/outbox").refused(400, "INVALID", "Query parameter `userId` is required")

	serious := newHouse(t, func(c *identity.Config) { c.Mode = identity.Local })
	serious.get("/auth/dev/outbox?userId="+id).refused(404, "NOT_FOUND", "There is nothing at this address")
	serious.post("/auth/dev/token", object{"user": id}).refused(404, "NOT_FOUND", "There is nothing at this address")
}
