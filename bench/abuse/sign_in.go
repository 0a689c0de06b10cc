package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
)

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
