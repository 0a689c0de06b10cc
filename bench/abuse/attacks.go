package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// attack runs one hostile client until ctx is done and describes the result.
type attack struct {
	name string
	run  func(ctx context.Context, t *target) string
	// brief attacks take a third of the time of others.
	brief bool
}

var attacks = []attack{
	{"400 aliases of a long text", longAnswers, false},
	{"one field 14,000 times", repetitions, false},
	{"1,000 strangers who announce 1 MB", strangers, false},
	{"endless bodies from 200 users", endlessBodies, true},
	{"1,000 strangers who sign up slowly", slowSignUps, true},
	{"100 sockets that do not read", deafSockets, true},
	{"200 silent sockets", silentSockets, true},
	{"e-mail to one victim", mailFlood, false},
	{"guessing a password", guesses, false},
	{"200 logins in one request, to messaging", manyLogins, true},
	{"logins of 1 MB, to communities", longLogins, true},
	{"900 searches by an anonymous identity", searches, true},
	{"messages of 130,000 bytes", largeMessages, true},
	{"3,000 short-lived subscriptions", flappingSubscriptions, true},
	{"1,000 endless uploads", slowUploads, true},
	{"uploads of 57 MB that are not images", largeUploads, true},
	{"images of 65,000 x 65,000 pixels", hugePictures, true},
	{"videos of 300 million frames", absurdFilms, true},
	{"CSV files of one line, a million columns, one cell", brokenTables, true},
	{"archives that unpack to gigabytes", zipBombs, true},
	{"place lookups without a token", prefixes, true},
	{"5,000 records by id at once", lookUps, true},
	{"an error inside 32 nested maps, to the engine", nestedFault, false},
}

// lasts returns how long the attack lasts.
func (a attack) lasts() time.Duration {
	switch {
	case a.brief && *short:
		return *each / 2
	case a.brief:
		return *each / 3
	}
	return *each
}

// outcomes counts requests by outcome.
type outcomes struct {
	mu     sync.Mutex
	counts map[string]int
}

func (o *outcomes) note(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.counts == nil {
		o.counts = map[string]int{}
	}
	o.counts[what]++
}

func (o *outcomes) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimPrefix(fmt.Sprint(o.counts), "map")
}

// code returns the first error code of a response, or its status.
func code(status int, body []byte, err error) string {
	if err != nil {
		return "cut off"
	}
	if _, rest, ok := strings.Cut(string(body), `"code":"`); ok {
		name, _, _ := strings.Cut(rest, `"`)
		return name
	}
	return fmt.Sprint(status)
}

// several runs f on n goroutines until ctx is done.
func several(ctx context.Context, n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			for ctx.Err() == nil {
				f(i)
			}
		})
	}
	all.Wait()
}

func longAnswers(ctx context.Context, t *target) string {
	var query strings.Builder
	query.WriteString(`{ self { posts(limit: 100) { items {`)
	for i := range 400 {
		fmt.Fprintf(&query, " a%d: text", i)
	}
	query.WriteString(` } } } }`)
	var o outcomes
	several(ctx, 2, func(int) { o.note(code(t.ask(t.attacker(), query.String(), nil))) })
	return o.String()
}

func repetitions(ctx context.Context, t *target) string {
	fields := strings.Repeat(" __typename", 14_000)
	documents := []string{
		"{" + fields + "}", "{__typename} fragment F on Query{" + fields + "}",
		"{" + strings.Repeat("...{", 900) + strings.Repeat(" __typename", 300) + strings.Repeat("}", 901),
	}
	var o outcomes
	several(ctx, 2, func(i int) {
		// A different comment each time keeps the document out of caches.
		query := fmt.Sprintf("# %d %d\n%s", i, time.Now().UnixNano(), documents[rand.IntN(len(documents))])
		o.note(code(t.ask(t.attacker(), query, nil)))
	})
	return o.String()
}

// hold opens connections that send head, followed by a byte now and then, until ctx is
// done.
func hold(ctx context.Context, t *target, n int, head string) string {
	var o outcomes
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			conn, err := net.Dial("tcp", t.addr)
			if err != nil {
				o.note("refused")
				return
			}
			defer conn.Close()
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			go func() {
				io.WriteString(conn, head)
				for ctx.Err() == nil {
					if _, err := io.WriteString(conn, " "); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}()
			answer := make([]byte, 12)
			if _, err := io.ReadFull(conn, answer); err != nil {
				o.note("held to the end")
				return
			}
			o.note(string(answer[9:]))
			<-ctx.Done()
		})
	}
	all.Wait()
	return o.String()
}

const announcing = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n"

func strangers(ctx context.Context, t *target) string {
	return hold(ctx, t, 1000, announcing+"\r\n")
}

func endlessBodies(ctx context.Context, t *target) string {
	return hold(ctx, t, 200, announcing+"Authorization: "+t.attacker()+"\r\n\r\n"+strings.Repeat(" ", 900_000))
}

// slowSignUps never end what they send.
func slowSignUps(ctx context.Context, t *target) string {
	return hold(ctx, t, 1000, "POST /auth/sign-up HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{")
}

func socket(ctx context.Context, t *target, path string) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(t.url, "http")+path, &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"},
	})
	return conn, err
}

// deafSockets sends requests on sockets without reading the responses.
func deafSockets(ctx context.Context, t *target) string {
	var o outcomes
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			conn, err := socket(ctx, t, "/graphql")
			if err != nil {
				o.note("refused")
				return
			}
			defer conn.CloseNow()
			say := func(text string) error { return conn.Write(ctx, websocket.MessageText, []byte(text)) }
			if say(`{"type":"connection_init","payload":{"authorization":"`+t.attacker()+`"}}`) != nil {
				o.note("closed")
				return
			}
			for i := 0; ctx.Err() == nil; i++ {
				if say(fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":"{ self { posts(limit: 5) { items { text } } } }"}}`, i)) != nil && ctx.Err() == nil {
					o.note("closed")
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
			o.note("held to the end")
		})
	}
	all.Wait()
	return o.String()
}

// silentSockets opens sockets without authenticating.
func silentSockets(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 200, func(int) {
		conn, err := socket(ctx, t, "/graphql")
		if err != nil {
			o.note("refused")
			return
		}
		if _, _, err = conn.Read(ctx); websocket.CloseStatus(err) > 0 {
			o.note(fmt.Sprint(int(websocket.CloseStatus(err))))
		}
		conn.CloseNow()
	})
	return o.String()
}

const victim = "victim@example.com"

// mailFlood requests mails to one address from changing client addresses, forged in an
// untrusted header.
func mailFlood(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 4, func(i int) {
		forwarded := http.Header{"X-Forwarded-For": {fmt.Sprintf("10.%d.%d.%d", rand.IntN(256), rand.IntN(256), rand.IntN(256))}}
		for path, body := range map[string]any{
			"/auth/sign-up": map[string]string{"email": victim, "password": "a long password"},
			"/auth/forgot":  map[string]string{"email": victim},
		} {
			o.note(path + " " + code(t.postWith(forwarded, path, body)))
		}
	})
	n := t.mails.count(victim)
	if n > mostMails {
		o.note(fmt.Sprintf("FAILED: %d messages, more than %d", n, mostMails))
	}
	return fmt.Sprintf("%d messages; %s", n, &o)
}

// mostMails is the maximum number of unrequested mails to one address within a minute.
const mostMails = 10

// guesses tries passwords of an honest client.
func guesses(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 4, func(int) {
		o.note(code(t.post("/auth/sign-in", "", map[string]string{"email": "person0@example.com", "password": fmt.Sprint("guess ", rand.Int())})))
	})
	return o.String()
}

// repeated is a document that asks for a field many times, with # as the number of each.
func repeated(kind string, times int, field string) string {
	var document strings.Builder
	for i := range times {
		fmt.Fprintf(&document, " a%d:%s", i, strings.ReplaceAll(field, "#", fmt.Sprint(i)))
	}
	return kind + "{" + document.String() + "}"
}

// searches asks for as many as a document holds, without an account.
func searches(ctx context.Context, t *target) string {
	var o outcomes
	several(ctx, 2, func(i int) {
		query := repeated("", 900-800*i, `searchUsers(searchToken:"person"){items{username}}`)
		o.note(code(t.ask(t.anonymous, query, nil)))
	})
	return o.String()
}

// nestedFault sends deeply nested invalid values to an engine of its own on the same
// processors.
func nestedFault(ctx context.Context, t *target) string {
	addr, err := free()
	if err != nil {
		return "FAILED: " + err.Error()
	}
	engine := exec.CommandContext(ctx, t.binary, "dynamodb", "--listen", addr, "--store", "memory:")
	if err := engine.Start(); err != nil {
		return "FAILED: " + err.Error()
	}
	defer engine.Wait()
	value := strings.Repeat(`{"M":{"a":`, 31) + `{"N":"x"}` + strings.Repeat(`}}`, 31)
	body := `{"TableName":"t","Item":{"pk":` + value + `}}`
	var o outcomes
	var slowest time.Duration
	several(ctx, 1, func(int) {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/x-amz-json-1.0")
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00")
		began := time.Now()
		status, _, err := do(r)
		if err != nil {
			time.Sleep(10 * time.Millisecond) // not started yet, or finished
			return
		}
		slowest = max(slowest, time.Since(began))
		o.note(fmt.Sprint(status))
		time.Sleep(5 * time.Millisecond)
	})
	if slowest > time.Second {
		o.note("FAILED: slow")
	}
	return fmt.Sprintf("slowest %s; %s", slowest.Round(time.Millisecond), &o)
}
