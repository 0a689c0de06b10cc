package push_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"stoa/internal/push"
)

// clock is a clock that only tests advance.
type clock struct{ at time.Time }

func newClock() *clock          { return &clock{time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }
func (c *clock) now() time.Time { return c.at }

func pemOf(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// apple is a fake of Apple's push service.
type apple struct {
	*httptest.Server
	t     *testing.T
	clock *clock
	key   *ecdsa.PrivateKey
	// shown holds the payloads by device, tokens the distinct tokens of the sender.
	shown  map[string]string
	tokens map[string]bool
	// reasons holds the errors by device; those that are the sender's fault are returned
	// once.
	reasons map[string]string
	header  http.Header
}

func newApple(t *testing.T) (*apple, push.Sender) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &apple{t: t, clock: newClock(), key: key, shown: map[string]string{}, tokens: map[string]bool{}, reasons: map[string]string{}}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(a.serve))
	a.EnableHTTP2 = true
	a.StartTLS()
	t.Cleanup(a.Close)
	sender, err := push.NewAPNS(push.APNSConfig{
		Address: a.URL, Key: pemOf(t, key), KeyID: "KEY", TeamID: "TEAM", Topic: "com.example.app", Client: a.Client(), Now: a.clock.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, sender
}

func (a *apple) serve(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, reason string) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"reason":%q}`, reason)
	}
	if r.ProtoMajor != 2 || r.Method != "POST" {
		a.t.Errorf("asked by %s %s", r.Method, r.Proto)
	}
	text := strings.TrimPrefix(r.Header.Get("Authorization"), "bearer ")
	token, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{jose.ES256})
	var claims jwt.Claims
	if err == nil {
		err = token.Claims(a.key.Public(), &claims)
	}
	if err != nil || claims.Issuer != "TEAM" || token.Headers[0].KeyID != "KEY" {
		a.t.Errorf("the token is of %+v, %v", claims, err)
	}
	a.tokens[text], a.header = true, r.Header
	device := strings.TrimPrefix(r.URL.EscapedPath(), "/3/device/")
	switch reason := a.reasons[device]; {
	case a.clock.at.Sub(claims.IssuedAt.Time()) >= time.Hour:
		refuse(403, "ExpiredProviderToken")
	case reason == "ExpiredProviderToken":
		delete(a.reasons, device)
		refuse(403, reason)
	case reason == "Unregistered":
		refuse(410, reason)
	case reason == "TooManyRequests":
		refuse(429, reason)
	case reason == "-":
		w.WriteHeader(500)
	case reason != "":
		refuse(400, reason)
	default:
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		a.shown[device] = body.String()
	}
}

func to(platform push.Platform, token string) push.Device {
	return push.Device{Platform: platform, Token: token}
}

func TestAPNS(t *testing.T) {
	a, sender := newApple(t)
	send := func(token string, m push.Message) error { return sender.Send(t.Context(), to(push.APNS, token), m) }
	if err := send("aa11", push.Message{Title: "New dating matches", Body: "Review them", Action: "https://app.example/x", Collapse: "card"}); err != nil {
		t.Fatal(err)
	}
	want := `{"action":"https://app.example/x","aps":{"alert":{"body":"Review them","title":"New dating matches"},"sound":"default"}}`
	if a.shown["aa11"] != want {
		t.Errorf("shows %s, want %s", a.shown["aa11"], want)
	}
	for name, value := range map[string]string{
		"Apns-Topic": "com.example.app", "Apns-Push-Type": "alert", "Apns-Priority": "10", "Apns-Collapse-Id": "card",
		"Apns-Expiration": fmt.Sprint(a.clock.at.Add(24 * time.Hour).Unix()),
	} {
		if got := a.header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if err := send("bb22", push.Message{Title: "Bare", Collapse: strings.Repeat("x", 65)}); err != nil {
		t.Fatal(err)
	}
	if a.shown["bb22"] != `{"aps":{"alert":{"title":"Bare"},"sound":"default"}}` || a.header.Get("Apns-Collapse-Id") != "" {
		t.Errorf("shows %s with %v", a.shown["bb22"], a.header)
	}

	// A token is reused for a while, but not for longer than Apple accepts it.
	a.clock.at = a.clock.at.Add(39 * time.Minute)
	if err := send("aa11", push.Message{Title: "Again"}); err != nil || len(a.tokens) != 1 {
		t.Errorf("%v, with %d tokens, want 1", err, len(a.tokens))
	}
	a.clock.at = a.clock.at.Add(time.Minute)
	if err := send("aa11", push.Message{Title: "Again"}); err != nil || len(a.tokens) != 2 {
		t.Errorf("%v, with %d tokens, want 2", err, len(a.tokens))
	}
}

func TestAPNSRefusals(t *testing.T) {
	a, sender := newApple(t)
	for reason, gone := range map[string]bool{
		"BadDeviceToken": true, "Unregistered": true, "DeviceTokenNotForTopic": true,
		"TooManyRequests": false, "PayloadTooLarge": false, "-": false,
	} {
		a.reasons[reason] = reason
		err := sender.Send(t.Context(), to(push.APNS, reason), push.Message{Title: "x"})
		if err == nil || errors.Is(err, push.ErrGone) != gone {
			t.Errorf("%s: %v, want that the device is gone: %t", reason, err, gone)
		}
	}
	// A token that Apple no longer accepts is replaced at once, and only once.
	a.reasons["aa11"] = "ExpiredProviderToken"
	a.clock.at = a.clock.at.Add(time.Second)
	if err := sender.Send(t.Context(), to(push.APNS, "aa11"), push.Message{Title: "x"}); err != nil || a.shown["aa11"] == "" {
		t.Errorf("not repeated with another token: %v", err)
	}
	for _, token := range []string{"", strings.Repeat("a", 5000)} {
		if err := sender.Send(t.Context(), to(push.APNS, token), push.Message{Title: "x"}); !errors.Is(err, push.ErrGone) {
			t.Errorf("a token of %d bytes: %v", len(token), err)
		}
	}
	if err := sender.Send(t.Context(), to(push.APNS, "../../x?y"), push.Message{Title: "x"}); err != nil || a.shown["..%2F..%2Fx%3Fy"] == "" {
		t.Errorf("a strange token goes elsewhere: %v, %v", err, a.shown)
	}
	a.Close()
	err := sender.Send(t.Context(), to(push.APNS, "secret-token"), push.Message{Title: "x"})
	if err == nil || errors.Is(err, push.ErrGone) || strings.Contains(err.Error(), "secret-token") {
		t.Errorf("unreachable: %v", err)
	}
}

// google is a fake of Firebase and of Google's authorization server.
type google struct {
	*httptest.Server
	t     *testing.T
	clock *clock
	key   *rsa.PrivateKey
	// granted is the number of access tokens issued; only the newest is valid.
	granted int
	shown   map[string]string
	codes   map[string]string
}

func newGoogle(t *testing.T) (*google, push.Sender) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	g := &google{t: t, clock: newClock(), key: key, shown: map[string]string{}, codes: map[string]string{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", g.grant)
	mux.HandleFunc("POST /v1/projects/real/messages:send", g.send)
	g.Server = httptest.NewServer(mux)
	t.Cleanup(g.Close)
	sender, err := push.NewFCM(push.FCMConfig{Address: g.URL, Credentials: g.credentials(), Client: g.Client(), Now: g.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	return g, sender
}

func (g *google) credentials() []byte {
	text, err := json.Marshal(map[string]string{
		"project_id": "real", "client_email": "push@real.test", "private_key": string(pemOf(g.t, g.key)),
		"private_key_id": "k1", "token_uri": g.URL + "/token",
	})
	if err != nil {
		g.t.Fatal(err)
	}
	return text
}

func (g *google) grant(w http.ResponseWriter, r *http.Request) {
	token, err := jwt.ParseSigned(r.PostFormValue("assertion"), []jose.SignatureAlgorithm{jose.RS256})
	var claims struct {
		jwt.Claims
		Scope string `json:"scope"`
	}
	if err == nil {
		err = token.Claims(g.key.Public(), &claims)
	}
	if err != nil || claims.Issuer != "push@real.test" || !claims.Audience.Contains(g.URL+"/token") ||
		claims.Scope != "https://www.googleapis.com/auth/firebase.messaging" || !claims.Expiry.Time().Equal(g.clock.at.Add(time.Hour)) ||
		r.PostFormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
		g.t.Errorf("granted to %+v, %v", claims, err)
	}
	g.granted++
	fmt.Fprintf(w, `{"access_token":"access-%d","expires_in":3600,"token_type":"Bearer"}`, g.granted)
}

func (g *google) send(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", g.granted) {
		w.WriteHeader(401)
		fmt.Fprint(w, `{"error":{"status":"UNAUTHENTICATED"}}`)
		return
	}
	var body struct{ Message json.RawMessage }
	var message struct{ Token string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || json.Unmarshal(body.Message, &message) != nil {
		g.t.Error("no message")
	}
	switch code := g.codes[message.Token]; code {
	case "":
		g.shown[message.Token] = string(body.Message)
		fmt.Fprint(w, `{"name":"projects/real/messages/1"}`)
	case "-":
		w.WriteHeader(503)
	default:
		w.WriteHeader(404)
		fmt.Fprintf(w, `{"error":{"status":"NOT_FOUND","details":[{"@type":"x"},{"errorCode":%q}]}}`, code)
	}
}

func TestFCM(t *testing.T) {
	g, sender := newGoogle(t)
	send := func(token string, m push.Message) error { return sender.Send(t.Context(), to(push.FCM, token), m) }
	if err := send("d1", push.Message{Title: "You have 2 chats", Body: "x", Action: "https://app.example/chat/", Collapse: "chats"}); err != nil {
		t.Fatal(err)
	}
	want := `{"android":{"collapse_key":"chats","priority":"HIGH","ttl":"86400s"},"data":{"action":"https://app.example/chat/"},` +
		`"notification":{"body":"x","title":"You have 2 chats"},"token":"d1"}`
	if g.shown["d1"] != want {
		t.Errorf("shows %s, want %s", g.shown["d1"], want)
	}
	g.clock.at = g.clock.at.Add(58 * time.Minute)
	if err := send("d1", push.Message{Title: "x"}); err != nil || g.granted != 1 {
		t.Errorf("%v, with %d access tokens, want 1", err, g.granted)
	}
	g.clock.at = g.clock.at.Add(time.Minute)
	if err := send("d1", push.Message{Title: "x"}); err != nil || g.granted != 2 {
		t.Errorf("%v, with %d access tokens, want 2", err, g.granted)
	}
	g.granted++ // revoked
	if err := send("d2", push.Message{Title: "x"}); err != nil || g.shown["d2"] == "" {
		t.Errorf("not repeated with another access token: %v", err)
	}
	for code, gone := range map[string]bool{"UNREGISTERED": true, "SENDER_ID_MISMATCH": true, "QUOTA_EXCEEDED": false, "-": false} {
		g.codes[code] = code
		if err := send(code, push.Message{Title: "x"}); err == nil || errors.Is(err, push.ErrGone) != gone {
			t.Errorf("%s: %v, want that the device is gone: %t", code, err, gone)
		}
	}
	if err := send("", push.Message{Title: "x"}); !errors.Is(err, push.ErrGone) {
		t.Errorf("no token: %v", err)
	}
}

// While Google does not grant a token, pushes fail together instead of one after the other.
func TestFCMWithoutATokenFailsForAll(t *testing.T) {
	g, _ := newGoogle(t)
	const pushes = 20
	var asked atomic.Int64
	refuse := make(chan struct{})
	g.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		<-refuse
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	sender, err := push.NewFCM(push.FCMConfig{Address: g.URL, Credentials: g.credentials(), Client: g.Client(), Now: g.clock.now})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range pushes {
		all.Go(func() {
			if err := sender.Send(t.Context(), to(push.FCM, "d1"), push.Message{Title: "x"}); err == nil || errors.Is(err, push.ErrGone) {
				t.Errorf("got %v", err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // for those that wait
	close(refuse)
	all.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("%d requests for a token", n)
	}
	if err := sender.Send(t.Context(), to(push.FCM, "d1"), push.Message{Title: "x"}); err == nil || asked.Load() != 2 {
		t.Errorf("a later push: %v, with %d requests", err, asked.Load())
	}
}

func TestBadKeys(t *testing.T) {
	elliptic, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	credentials := func(key string) []byte {
		text, err := json.Marshal(map[string]string{"project_id": "p", "client_email": "e", "token_uri": "u", "private_key": key})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, c := range map[string][]byte{
		"no JSON": []byte("x"), "nothing in it": []byte("{}"), "no PEM": credentials("x"), "a key of another kind": credentials(string(pemOf(t, elliptic))),
	} {
		if _, err := push.NewFCM(push.FCMConfig{Credentials: c}); err == nil {
			t.Errorf("FCM takes credentials with %s", name)
		}
	}
	for _, key := range []string{"x", "-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----\n"} {
		if _, err := push.NewAPNS(push.APNSConfig{Key: []byte(key)}); err == nil {
			t.Errorf("APNS takes the key %q", key)
		}
	}
}

func TestPlatforms(t *testing.T) {
	var log bytes.Buffer
	sender := push.Platforms{push.APNS: push.Log{Logger: slog.New(slog.NewJSONHandler(&log, nil))}}
	if err := sender.Send(context.Background(), to(push.APNS, "secret-token"), push.Message{Title: "Add a profile photo", Action: "https://app.example/x"}); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); !strings.Contains(text, "Add a profile photo") || strings.Contains(text, "secret-token") {
		t.Errorf("logged %s", text)
	}
	if err := sender.Send(context.Background(), to(push.FCM, "x"), push.Message{Title: "x"}); err == nil {
		t.Error("a platform without a sender is no error")
	}
}
