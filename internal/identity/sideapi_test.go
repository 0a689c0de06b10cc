package identity_test

import (
	"testing"
	"time"

	"stoa/internal/identity"
	"stoa/internal/kit/ratelimit"
	"stoa/internal/kit/viewer"
)

// says fails the test unless a response of the side API is the given error.
func (r response) says(status int, message string) {
	r.t.Helper()
	if r.want(status); len(r.body) != 1 || r.body["message"] != message {
		r.t.Errorf("answered %s, want the message %q", r.raw, message)
	}
}

var key = []string{"x-api-key", "key-2"}

func TestAPIKeys(t *testing.T) {
	keys := func(c *identity.Config) { c.APIKeys = []string{"key-1", "key-2"} }
	for _, c := range []struct {
		name    string
		changes []func(*identity.Config)
		key     string
		status  int
	}{
		{"none in dev", nil, "", 403},
		{"any in dev", nil, "anything", 200},
		{"one of those set", []func(*identity.Config){keys}, "key-2", 200},
		{"another than those set", []func(*identity.Config){keys}, "key-3", 403},
		{"none of those set", []func(*identity.Config){keys}, "", 403},
		{"any outside dev", []func(*identity.Config){local(&postbox{})}, "anything", 403},
		{"one set outside dev", []func(*identity.Config){local(&postbox{}), keys}, "key-1", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, c.changes...)
			r := h.get("/username/status?username=ana", "x-api-key", c.key)
			if r.want(c.status); c.status == 403 {
				r.says(403, "Forbidden")
				h.do("POST", "/user/confirm", nil, "x-api-key", c.key).says(403, "Forbidden")
			}
		})
	}
}

func TestUsernameStatus(t *testing.T) {
	h := newHouse(t)
	h.names["ana"] = given
	for query, want := range map[string]string{
		"?username=ana": "NOT_AVAILABLE", "?username=ANA": "NOT_AVAILABLE", "?username=ben": "AVAILABLE",
		"?username=a": "INVALID", "?username=": "INVALID",
	} {
		if r := h.get("/username/status"+query, key...).want(200); r.raw != `{"status":"`+want+`"}`+"\n" {
			t.Errorf("%s: answered %s, want %s", query, r.raw, want)
		}
	}
	h.get("/username/status", key...).says(400, "Query parameter `username` is required")
	h.do("POST", "/username/status?username=ana", nil, key...).says(405, "Use GET")
}

func TestConfirmUser(t *testing.T) {
	p := &postbox{}
	h := newHouse(t, local(p), func(c *identity.Config) { c.APIKeys = []string{"key-2"} })
	id := h.post("/auth/sign-up", object{"email": "ana@example.com", "password": password}).want(201).text("userId")
	m, _ := p.last(t)
	confirm := func(query string) response { return h.do("POST", "/user/confirm"+query, nil, key...) }
	confirm("").says(400, "Query parameter `userId` is required")
	confirm("?code=1").says(400, "Query parameter `userId` is required")
	confirm("?userId="+id).says(400, "Query parameter `code` is required")
	confirm("?userId="+id+"&code="+wrong(m.Code)).says(400, "User confirmation failed")
	confirm("?userId="+given+"&code="+m.Code).says(400, "User confirmation failed")
	confirm("?userId=nobody&code=").says(400, "User confirmation failed")
	h.get("/user/confirm?userId="+id+"&code="+m.Code, key...).says(405, "Use POST")
	h.contacts(id, "", "")

	r := confirm("?userId=" + id + "&code=" + m.Code).want(200)
	h.contacts(id, "ana@example.com", "")
	tokens, credentials := r.body["tokens"].(object), r.body["credentials"].(object)
	for _, name := range []string{"AccessToken", "IdToken"} {
		if who, err := h.verifier.Authenticate(t.Context(), tokens[name].(string)); who != viewer.UserID(id) || err != nil {
			t.Errorf("%s is of %q, %v", name, who, err)
		}
	}
	h.post("/auth/refresh", object{"refreshToken": tokens["RefreshToken"]}).want(200)
	if tokens["ExpiresIn"] != 3600.0 || tokens["TokenType"] != "Bearer" || len(tokens) != 5 {
		t.Errorf("tokens %v", tokens)
	}
	for _, name := range []string{"AccessKeyId", "SecretKey", "SessionToken", "Expiration"} {
		if text, _ := credentials[name].(string); text == "" || len(credentials) != 4 {
			t.Errorf("credentials %v lack %s", credentials, name)
		}
	}

	// It confirms once: a code for another contact cannot be used as a password.
	confirm("?userId="+id+"&code="+m.Code).says(400, "User confirmation failed")
	h.turn(time.Minute)
	h.start(id, identity.ViaEmail, "new@example.com")
	m, _ = p.last(t)
	confirm("?userId="+id+"&code="+m.Code).says(400, "User confirmation failed")
}

// TestConfirmUserInDev checks that the code of a sign-up is accepted, although contacts
// count as verified without it.
func TestConfirmUserInDev(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.do("POST", "/user/confirm?userId="+id+"&code="+h.code(id), nil, key...).want(200)
}

func TestSideAPIIsThrottled(t *testing.T) {
	h := newHouse(t, func(c *identity.Config) {
		c.Limits = &identity.Limits{SideAPI: ratelimit.Limit{Burst: 2, Every: time.Second}}
	})
	for range 2 {
		h.get("/username/status?username=ana", key...).want(200)
	}
	r := h.get("/username/status?username=ana", key...)
	r.says(429, "Too Many Requests")
	if r.header.Get("Retry-After") != "1" {
		t.Errorf("headers %v", r.header)
	}
}
