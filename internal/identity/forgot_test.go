package identity_test

import (
	"testing"
	"time"
)

func TestResetByEmailAndPhone(t *testing.T) {
	for kind, contact := range map[string]string{"email": "ana@example.com", "phone": "+12025550123"} {
		t.Run(kind, func(t *testing.T) {
			h := newHouse(t)
			id := h.post("/auth/sign-up", object{kind: contact, "password": password}).want(201).text("userId")
			h.turn(time.Second)
			if r := h.post("/auth/forgot", object{kind: contact}).want(202); r.raw != "{}\n" {
				t.Errorf("answered %q", r.raw)
			}
			reset := object{"userId": id, "code": h.code(id), "password": "another horse"}
			if r := h.post("/auth/reset", reset).want(200); r.text("userId") != id {
				t.Errorf("answered %s", r.raw)
			}
			h.signIn(kind, contact).want(401)
			h.post("/auth/sign-in", object{kind: contact, "password": "another horse"}).want(200)
			h.post("/auth/reset", reset).refused(400, "INVALID", "Verification code is invalid")

			// On another device nobody knows the user id.
			h.turn(time.Second)
			h.post("/auth/forgot", object{kind: contact}).want(202)
			typed := object{kind: contact, "code": h.code(id), "password": "third horse"}
			if r := h.post("/auth/reset", typed).want(200); r.text("userId") != id {
				t.Errorf("answered %s", r.raw)
			}
			h.post("/auth/sign-in", object{kind: contact, "password": "third horse"}).want(200)
		})
	}
}

func TestForgotTellsNothing(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p))
	newcomer(t, h, p) // not confirmed
	_, before := p.last(t)
	for _, body := range []object{{"email": "ben@example.com"}, {"email": "Ben@example.com"}, {"email": "ben"}, {"phone": "+12025550199"}, {"email": "ana@example.com"}} {
		h.post("/auth/forgot", body).want(202)
	}
	if _, after := p.last(t); after != before {
		t.Errorf("%d messages were sent", after-before)
	}
	h.post("/auth/forgot", object{}).refused(400, "INVALID", "Give exactly one of `email`, `phone`")
}

func TestResetRefusals(t *testing.T) {
	const invalid = "Verification code is invalid"
	for _, row := range []struct {
		name    string
		change  func(h *house, reset object)
		message string
	}{
		{"wrong code", func(_ *house, r object) { r["code"] = wrong(r["code"].(string)) }, invalid},
		{"another user", func(_ *house, r object) { r["userId"] = given }, invalid},
		{"expired", func(h *house, _ object) { h.turn(15 * time.Minute) }, invalid},
		{"after five wrong ones", func(h *house, r object) {
			for range 5 {
				h.post("/auth/reset", object{"userId": r["userId"], "code": wrong(r["code"].(string)), "password": "another horse"}).want(400)
			}
		}, invalid},
		{"of a contact without an account", func(_ *house, r object) { delete(r, "userId"); r["email"] = "ben@example.com" }, invalid},
		{"of no contact", func(_ *house, r object) { delete(r, "userId"); r["phone"] = "ben" }, invalid},
		{"wrong code of a contact", func(_ *house, r object) {
			delete(r, "userId")
			r["email"], r["code"] = "ana@example.com", wrong(r["code"].(string))
		}, invalid},
		{"two names", func(_ *house, r object) { r["email"] = "ana@example.com" }, "Give exactly one of `userId`, `email`, `phone`"},
		{"short password", func(_ *house, r object) { r["password"] = "short" }, "Invalid password: use 8 to 256 characters"},
		{"no code", func(_ *house, r object) { delete(r, "code") }, "Field `code` is required"},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := newHouse(t)
			id := h.ana()
			h.turn(time.Second)
			h.post("/auth/forgot", object{"email": "ana@example.com"}).want(202)
			reset := object{"userId": id, "code": h.code(id), "password": "another horse"}
			row.change(h, reset)
			h.post("/auth/reset", reset).refused(400, "INVALID", row.message)
			h.signIn("userId", id).want(200)
		})
	}
}

func TestConfirmationCodesResetNothing(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.post("/auth/reset", object{"userId": id, "code": h.code(id), "password": "another horse"}).want(400)
	h.signIn("userId", id).want(200)
}
