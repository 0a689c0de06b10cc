package identity_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
)

// Addresses of the owner of an account and of a stranger who knows the account's id and
// contact.
var (
	ofOwner    = []string{"Test-Remote", "192.0.2.1"}
	ofStranger = []string{"Test-Remote", "192.0.2.66"}
)

const newPassword = "another horse"

// untilLimited repeats a call of the stranger until it is refused.
func untilLimited(t *testing.T, call func() response) {
	t.Helper()
	for range 1000 {
		if call().status == 429 {
			return
		}
	}
	t.Fatal("the stranger is not limited")
}

// confirmed returns a house with local identity, and the id of a user with a verified
// address.
func confirmed(t *testing.T, p *postbox, changes ...func(*identity.Config)) (*house, string) {
	t.Helper()
	h := newHouse(t, append([]func(*identity.Config){local(p)}, changes...)...)
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}, ofOwner...).want(201).text("userId")
	m, _ := p.last(t)
	h.post("/auth/confirm", object{"userId": id, "code": m.Code}, "Test-Remote", "192.0.2.99").want(200)
	return h, id
}

// forgot requests a code and returns the newest message.
func (h *house) forgot(p *postbox, from []string) identity.Message {
	h.t.Helper()
	h.post("/auth/forgot", object{"email": "ana@example.com"}, from...).want(202)
	h.issuer.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.messages[len(p.messages)-1]
}

func (h *house) reset(id, code string, from []string) response {
	h.t.Helper()
	return h.post("/auth/reset", object{"userId": id, "code": code, "password": newPassword}, from...)
}

// service 4#1: the limits of one sender do not keep the owner from a new password.
func TestStrangersDoNotStopResets(t *testing.T) {
	t.Run("by requesting codes", func(t *testing.T) {
		p := &postbox{}
		h, id := confirmed(t, p)
		mine := h.forgot(p, ofOwner)
		untilLimited(t, func() response {
			return h.post("/auth/forgot", object{"email": "ana@example.com"}, ofStranger...)
		})
		h.reset(id, mine.Code, ofOwner).want(200)
		untilLimited(t, func() response {
			return h.post("/auth/forgot", object{"email": "ana@example.com"}, ofStranger...)
		})
		h.reset(id, h.forgot(p, ofOwner).Code, ofOwner).want(200)
	})
	t.Run("by trying codes", func(t *testing.T) {
		p := &postbox{}
		h, id := confirmed(t, p)
		mine := h.forgot(p, ofOwner)
		untilLimited(t, func() response { return h.reset(id, wrong(mine.Code), ofStranger) })
		h.reset(id, mine.Code, ofOwner).refused(400, "INVALID", "Verification code is invalid")
		h.reset(id, h.forgot(p, ofOwner).Code, ofOwner).want(200)
	})
	t.Run("by both in turn", func(t *testing.T) {
		p := &postbox{}
		h, id := confirmed(t, p)
		untilLimited(t, func() response {
			h.post("/auth/forgot", object{"email": "ana@example.com"}, ofStranger...)
			h.issuer.Wait()
			m, _ := p.last(t)
			return h.reset(id, wrong(m.Code), ofStranger)
		})
		h.reset(id, h.forgot(p, ofOwner).Code, ofOwner).want(200)
	})
}

func TestStrangersDoNotStopSignUps(t *testing.T) {
	signUp := object{"email": "ana@example.com", "password": password}
	confirm := func(h *house, id, code string, from []string) response {
		return h.post("/auth/confirm", object{"userId": id, "code": code}, from...)
	}
	t.Run("by signing up with the address", func(t *testing.T) {
		p := &postbox{}
		h := newHouse(t, local(p))
		untilLimited(t, func() response { return h.post("/auth/sign-up", signUp, ofStranger...) })
		id := h.post("/auth/sign-up", signUp, ofOwner...).want(201).text("userId")
		m, _ := p.last(t)
		confirm(h, id, m.Code, ofOwner).want(200)
	})
	t.Run("by requesting codes", func(t *testing.T) {
		p := &postbox{}
		h := newHouse(t, local(p))
		id := h.post("/auth/sign-up", signUp, ofOwner...).want(201).text("userId")
		first, _ := p.last(t)
		resend := func(from []string) response { return h.post("/auth/resend", object{"userId": id}, from...) }
		untilLimited(t, func() response { return resend(ofStranger) })
		resend(ofOwner).want(202)
		if again, _ := p.last(t); again.Code != first.Code {
			t.Error("the code that the owner has received is replaced")
		}
		confirm(h, id, first.Code, ofOwner).want(200)
	})
	t.Run("by trying codes", func(t *testing.T) {
		p := &postbox{}
		h := newHouse(t, local(p))
		id := h.post("/auth/sign-up", signUp, ofOwner...).want(201).text("userId")
		first, _ := p.last(t)
		untilLimited(t, func() response { return confirm(h, id, wrong(first.Code), ofStranger) })
		h.post("/auth/resend", object{"userId": id}, ofOwner...).want(202)
		second, _ := p.last(t)
		confirm(h, id, second.Code, ofOwner).want(200)
	})
}

func TestStrangersDoNotStopChanges(t *testing.T) {
	p := &postbox{}
	h, id := confirmed(t, p)
	untilLimited(t, func() response { return h.post("/auth/resend", object{"userId": id}, ofStranger...) })
	untilLimited(t, func() response {
		return h.post("/auth/confirm", object{"userId": id, "code": "000000"}, ofStranger...)
	})
	user := viewer.UserID(id)
	if err := h.issuer.StartChange(t.Context(), user, identity.ViaEmail, "new@example.com"); err != nil {
		t.Fatal(err)
	}
	m, _ := p.last(t)
	if err := h.issuer.FinishChange(t.Context(), user, identity.ViaEmail, m.Code, h.save); err != nil {
		t.Fatal(err)
	}
}

// TestOwnersAreKnown checks that many addresses together, which exhaust what is sent to a
// mailbox and the failures of an account, do not affect the addresses of its owner.
func TestOwnersAreKnown(t *testing.T) {
	p := &postbox{}
	h, id := confirmed(t, p, func(c *identity.Config) {
		c.Limits = &identity.Limits{
			SignInAccount: ratelimit.Limit{Burst: 3, Every: time.Hour},
			Recipient:     ratelimit.Limit{Burst: 3, Every: time.Hour},
		}
	})
	h.post("/auth/sign-in", object{"userId": id, "password": password}, ofOwner...).want(200)
	for n := range 10 {
		from := []string{"Test-Remote", fmt.Sprintf("198.51.100.%d", n)}
		h.forgot(p, from)
		h.post("/auth/sign-in", object{"userId": id, "password": "incorrect horse"}, from...)
	}
	_, before := p.last(t)
	if before != 3 {
		t.Errorf("%d messages went out, want 3", before)
	}
	m := h.forgot(p, ofOwner)
	if _, after := p.last(t); after != before+1 {
		t.Error("the owner gets no code at a familiar address")
	}
	elsewhere := []string{"Test-Remote", "203.0.113.1"}
	h.post("/auth/sign-in", object{"userId": id, "password": password}, elsewhere...).want(429)
	h.reset(id, m.Code, elsewhere).want(200)
	h.post("/auth/sign-in", object{"userId": id, "password": newPassword}, elsewhere...).want(200)
}

// TestCodesAreRepeated checks that a code is sent again while it can be used, by any process.
func TestCodesAreRepeated(t *testing.T) {
	p := &postbox{}
	h, id := confirmed(t, p)
	first := h.forgot(p, ofOwner)
	h.turn(9 * time.Minute)
	other := joinHouse(t, h.store, local(p))
	other.at = h.now()
	second := other.forgot(p, ofOwner)
	if second.Code != first.Code || !strings.Contains(second.Text, "good for 6 minutes") || !strings.Contains(first.Text, "good for 15 minutes") {
		t.Errorf("first %q, then %q", first.Text, second.Text)
	}
	h.turn(2 * time.Minute)
	third := h.forgot(p, ofOwner)
	if third.Code == first.Code || !strings.Contains(third.Text, "good for 15 minutes") {
		t.Errorf("a code that is about to expire is sent again: %q", third.Text)
	}
	for range 5 {
		h.reset(id, wrong(third.Code), ofOwner).want(400)
	}
	fourth := h.forgot(p, ofOwner)
	if fourth.Code == third.Code {
		t.Error("a code that is used up is sent again")
	}
	h.reset(id, fourth.Code, ofOwner).want(200)
}

// TestRepeatedCodesKeepTheirTries checks that requesting a code allows no more guesses.
func TestRepeatedCodesKeepTheirTries(t *testing.T) {
	p := &postbox{}
	h, id := confirmed(t, p)
	code := h.forgot(p, ofOwner).Code
	for range 4 {
		h.reset(id, wrong(code), ofOwner).want(400)
	}
	if again := h.forgot(p, ofOwner).Code; again != code {
		t.Errorf("the code %s is replaced by %s", code, again)
	}
	h.reset(id, wrong(code), ofOwner).want(400)
	h.reset(id, code, ofOwner).want(400)
}

// TestTheMessageTellsTheLifeOfTheCode checks it with a clock that does not stand still.
func TestTheMessageTellsTheLifeOfTheCode(t *testing.T) {
	p := &postbox{}
	h, _ := confirmed(t, p, func(c *identity.Config) {
		now, calls := c.Now, atomic.Int64{}
		c.Now = func() time.Time { return now().Add(time.Duration(calls.Add(1)) * time.Millisecond) }
	})
	if m := h.forgot(p, ofOwner); !strings.Contains(m.Text, "good for 15 minutes") {
		t.Errorf("the message is %q", m.Text)
	}
}
