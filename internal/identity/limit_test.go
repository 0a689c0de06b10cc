package identity_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
)

// tight allows two calls of each kind per minute.
func tight(c *identity.Config) {
	two := ratelimit.Limit{Burst: 2, Every: time.Minute}
	many := ratelimit.Limit{Burst: 1000, Every: time.Second}
	c.Limits = &identity.Limits{
		SignInAccount: two, SignUpAccount: two, SendAccount: two, TryAccount: two,
		SignInAddress: many, SignUpAddress: many, SendAddress: many, TryAddress: many,
	}
}

// tightAddress allows three calls of each kind per minute and address.
func tightAddress(c *identity.Config) {
	three := ratelimit.Limit{Burst: 3, Every: time.Minute}
	many := ratelimit.Limit{Burst: 1000, Every: time.Second}
	c.Limits = &identity.Limits{
		SignInAccount: many, SignUpAccount: many, SendAccount: many, TryAccount: many,
		SignInAddress: three, SignUpAddress: three, SendAddress: three, TryAddress: three,
	}
}

func (r response) limited(seconds int) {
	r.t.Helper()
	text := strconv.Itoa(seconds)
	r.refused(429, "RATE_LIMITED", "Too many requests: try again in "+text+" s")
	if got := r.header.Get("Retry-After"); got != text {
		r.t.Errorf("Retry-After is %q, want %q", got, text)
	}
}

func TestLimitsPerAccount(t *testing.T) {
	for name, call := range map[string]func(h *house, id string) response{
		"sign-in by id":     func(h *house, id string) response { return h.wrongPassword("userId", id) },
		"sign-in by mail":   func(h *house, _ string) response { return h.wrongPassword("email", "ana@example.com") },
		"sign-in of nobody": func(h *house, _ string) response { return h.wrongPassword("username", "nobody") },
		"sign-up": func(h *house, _ string) response {
			return h.post("/auth/sign-up", object{"email": "ben@example.com", "password": password})
		},
		"resend":           func(h *house, id string) response { return h.post("/auth/resend", object{"userId": id}) },
		"resend to nobody": func(h *house, _ string) response { return h.post("/auth/resend", object{"userId": given}) },
		"forgot":           func(h *house, _ string) response { return h.post("/auth/forgot", object{"email": "ana@example.com"}) },
		"forgot of nobody": func(h *house, _ string) response { return h.post("/auth/forgot", object{"email": "zoe@example.com"}) },
		"confirm":          func(h *house, id string) response { return h.post("/auth/confirm", object{"userId": id, "code": "x"}) },
		"reset": func(h *house, id string) response {
			return h.post("/auth/reset", object{"userId": id, "code": "x", "password": password})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, tight)
			id := h.ana()
			for range 2 {
				if r := call(h, id); r.status == 429 {
					t.Fatalf("limited at once: %s", r.raw)
				}
			}
			call(h, id).limited(60)
			h.turn(20500 * time.Millisecond)
			call(h, id).limited(40)
			h.turn(40 * time.Second)
			if r := call(h, id); r.status == 429 {
				t.Fatalf("still limited: %s", r.raw)
			}
			call(h, id).limited(60)
		})
	}
}

func (h *house) wrongPassword(kind, name string) response {
	h.t.Helper()
	return h.post("/auth/sign-in", object{kind: name, "password": "incorrect horse"})
}

func TestNamesOfOneAccountShareItsLimit(t *testing.T) {
	h := newHouse(t, tight)
	id := h.ana()
	h.wrongPassword("userId", id).want(401)
	h.wrongPassword("email", "ana@example.com").want(401)
	h.signIn("userId", id).want(429)
}

func TestSuccessForgivesFailures(t *testing.T) {
	h := newHouse(t, tight)
	id := h.ana()
	for range 5 {
		h.wrongPassword("userId", id).want(401)
		h.signIn("userId", id).want(200)
	}
}

func TestLimitsPerAddress(t *testing.T) {
	for name, call := range map[string]func(h *house, n int, headers ...string) response{
		"sign-in": func(h *house, n int, headers ...string) response {
			return h.post("/auth/sign-in", object{"username": "user" + strconv.Itoa(n), "password": password}, headers...)
		},
		"sign-up": func(h *house, _ int, headers ...string) response {
			return h.post("/auth/sign-up", object{"password": password}, headers...)
		},
		"anonymous": func(h *house, _ int, headers ...string) response {
			return h.post("/auth/anonymous", nil, headers...)
		},
		"codes asked for": func(h *house, n int, headers ...string) response {
			return h.post("/auth/forgot", object{"email": "user" + strconv.Itoa(n) + "@example.com"}, headers...)
		},
		"codes tried": func(h *house, n int, headers ...string) response {
			return h.post("/auth/confirm", object{"userId": "user" + strconv.Itoa(n), "code": "x"}, headers...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, tightAddress)
			for n := range 3 {
				if r := call(h, n, "Test-Remote", "192.0.2.1"); r.status == 429 {
					t.Fatalf("limited at once: %s", r.raw)
				}
			}
			call(h, 4, "Test-Remote", "192.0.2.1").limited(60)
			if r := call(h, 5, "Test-Remote", "192.0.2.2"); r.status == 429 {
				t.Fatalf("another address is limited: %s", r.raw)
			}
		})
	}
}

func TestDevHasNoLimits(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	for range 100 {
		h.wrongPassword("userId", id).want(401)
		h.post("/auth/confirm", object{"userId": id, "code": "x"}).want(400)
		h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
		h.post("/auth/anonymous", nil).want(201)
	}
	h.signIn("userId", id).want(200)
	if *identity.LimitsOf(identity.Local) == (identity.Limits{}) {
		t.Error("outside dev there are none either")
	}
}

// backOff shortens the backoff, so that tests can wait for it.
func backOff(c *identity.Config) {
	c.Limits = &identity.Limits{
		SignInAttempts: ratelimit.Limit{Burst: 2, Every: time.Minute},
		SignInAccount:  ratelimit.Limit{Burst: 5, Every: time.Minute},
	}
}

// TestStrangersDoNotLockOwnersOut has one address guess until it is refused, and checks
// that the owner can still sign in.
func TestStrangersDoNotLockOwnersOut(t *testing.T) {
	h := newHouse(t, backOff)
	id := h.ana()
	guess := func(address string) response {
		return h.post("/auth/sign-in", object{"userId": id, "password": "incorrect horse"}, "Test-Remote", address)
	}
	enter := func(address string) response {
		return h.post("/auth/sign-in", object{"userId": id, "password": password}, "Test-Remote", address)
	}
	for range 2 {
		guess("192.0.2.1").want(401)
	}
	guess("192.0.2.1").limited(60)
	enter("192.0.2.2").want(200)

	// Many addresses together exhaust the account's limit, except for addresses that its
	// owner has used before.
	for n := 10; n < 14; n++ {
		guess(fmt.Sprintf("192.0.2.%d", n))
	}
	enter("192.0.2.99").limited(60)
	enter("192.0.2.2").want(200)
	for range 2 {
		guess("192.0.2.2").want(401)
	}
	enter("192.0.2.2").limited(60)
}

func outgoing(c *identity.Config) {
	c.Limits = &identity.Limits{
		RecipientFrom: ratelimit.Limit{Burst: 2, Every: time.Minute},
		Recipient:     ratelimit.Limit{Burst: 3, Every: time.Minute},
		Messages:      ratelimit.Limit{Burst: 10, Every: time.Minute},
	}
}

// TestLimitsPerRecipient checks that a mailbox cannot be flooded, by any callers and kinds
// of requests, and that only those who have requested too many messages are refused.
func TestLimitsPerRecipient(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p), outgoing)
	victim := object{"email": "ana@example.com", "password": password}
	var ids []string
	for range 2 {
		ids = append(ids, h.post("/auth/sign-up", victim, "Test-Remote", "192.0.2.1").want(201).text("userId"))
	}
	h.post("/auth/sign-up", victim, "Test-Remote", "192.0.2.1").limited(60)
	h.post("/auth/forgot", object{"email": "ana@example.com"}, "Test-Remote", "192.0.2.1").limited(60)
	// Requests by id do not reveal the contact.
	h.post("/auth/resend", object{"userId": ids[0]}, "Test-Remote", "192.0.2.1").want(202)
	h.issuer.Wait()
	if _, n := p.last(t); n != 2 {
		t.Errorf("%d messages went out, want 2", n)
	}
	for n := 2; n < 6; n++ {
		from := fmt.Sprintf("192.0.2.%d", n)
		h.post("/auth/sign-up", victim, "Test-Remote", from).want(201)
		h.post("/auth/forgot", object{"email": "ana@example.com"}, "Test-Remote", from).want(202)
		h.post("/auth/resend", object{"userId": ids[0]}, "Test-Remote", from).want(202)
	}
	h.issuer.Wait()
	if _, n := p.last(t); n != 3 {
		t.Errorf("%d messages went out, want 3", n)
	}
	err := h.issuer.StartChange(t.Context(), viewer.UserID(ids[0]), identity.ViaEmail, "ana@example.com")
	wantRefused(t, err, "Too many requests: try again in 60 s")
	h.turn(time.Minute)
	h.post("/auth/resend", object{"userId": ids[0]}, "Test-Remote", "192.0.2.9").want(202)
	if _, n := p.last(t); n != 4 {
		t.Errorf("%d messages went out, want 4", n)
	}
}

func TestLimitOfAllMessages(t *testing.T) {
	h := newHouse(t, local(&postbox{}), func(c *identity.Config) {
		c.Limits = &identity.Limits{Messages: ratelimit.Limit{Burst: 2, Every: time.Minute}}
	})
	h.post("/auth/sign-up", object{"email": "ben@example.com", "password": password}).want(201)
	h.post("/auth/forgot", object{"email": "cem@example.com"}).want(202)
	h.post("/auth/sign-up", object{"email": "dee@example.com", "password": password}).limited(60)
}

// TestForgotTakesNoTime checks that the response does not wait for work that depends on
// whether the contact is known.
func TestForgotTakesNoTime(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).want(201).text("userId")
	m, _ := p.last(t)
	h.post("/auth/confirm", object{"userId": id, "code": m.Code}).want(200)

	gate := make(chan struct{})
	p.hold(gate)
	h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
	h.post("/auth/forgot", object{"email": "nobody@example.com"}).want(202)
	close(gate)
	h.issuer.Wait()
	if m, n := p.last(t); n != 2 || m.To != "ana@example.com" || m.Link != "https://app.test/confirm/forgot/"+id+"/"+m.Code {
		t.Errorf("sent %d, last %+v", n, m)
	}
}
