package main

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAllowancesAreWrittenAsTheyAreRead(t *testing.T) {
	for text, want := range map[string]Allowance{
		"0": {}, "10+1/20s": {Burst: 10, Every: 20 * time.Second}, "5+1/1m0s": {Burst: 5, Every: time.Minute},
	} {
		var a Allowance
		if err := a.UnmarshalText([]byte(text)); err != nil || a != want {
			t.Errorf("%s is %+v, %v", text, a, err)
		}
		if again, err := a.MarshalText(); string(again) != text {
			t.Errorf("%s is written %s, %v", text, again, err)
		}
	}
	for _, text := range []string{"", "10", "0+1/1s", "10+2/1s", "10+1/0s", "10+1/-1s", "x+1/1s", "10+1/never"} {
		if err := new(Allowance).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// Limits of unauthenticated callers are on unless identity is dev, and `stoa config` shows
// them.
func TestConfigShowsTheLimitsOfStrangers(t *testing.T) {
	for args, want := range map[string]string{
		"config": "sign-in-account-limit 0 default",
		"config --identity local --mailer smtp://localhost:25 --mail-from a@example.com":                                "sign-in-account-limit 10+1/20s default",
		"config --identity local --mailer smtp://localhost:25 --mail-from a@example.com --sign-in-account-limit 3+1/1h": "sign-in-account-limit 3+1/1h0m0s flag",
	} {
		shown, err := run(t, strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(shown), " "), want) {
			t.Errorf("%s does not show %q:\n%s", args, want, shown)
		}
	}
}

// The rate limit is on by default unless identity is dev, which has none.
func TestOperationsAreLimitedOutsideDevIdentity(t *testing.T) {
	for identity, limited := range map[string]bool{"dev": false, "local": true} {
		url := serve(
			t,
			"--store",
			"memory:",
			"--identity",
			identity,
			"--mailer",
			"smtp://127.0.0.1:1",
			"--mail-from",
			"a@example.com",
			"--app-url",
			"https://app.example",
			"--app-name",
			"Example",
		)
		token := post(t, url+"/auth/anonymous", "", http.StatusCreated, nil)["accessToken"].(string)
		var all sync.WaitGroup
		var refused atomic.Bool
		// This exceeds both the burst and the rate of a user.
		for range 8 {
			all.Go(func() {
				for range 4 * burstSeconds * generousRate / 8 {
					status, wait := statusOf(t, url+"/graphql?query={__typename}", token)
					if status != http.StatusOK && (status != http.StatusTooManyRequests || wait != "1") {
						t.Errorf("answered %d, to be repeated after %q", status, wait)
					}
					if status == http.StatusTooManyRequests {
						refused.Store(true)
					}
				}
			})
		}
		if all.Wait(); refused.Load() != limited {
			t.Errorf("identity %s: limited is %v", identity, refused.Load())
		}
	}
}

func statusOf(t *testing.T, url, token string) (status int, retryAfter string) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	request.Header.Set("Authorization", token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	response.Body.Close()
	return response.StatusCode, response.Header.Get("Retry-After")
}
