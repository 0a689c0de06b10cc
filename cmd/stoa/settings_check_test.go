package main

import (
	"strings"
	"testing"
)

// operator 8#2: settings of the content check that make no sense are refused at the start, and its secret is not shown.
func TestContentCheckSettings(t *testing.T) {
	const url = "https://app.example/check"
	for want, args := range map[string][]string{
		`setting check-url (flag --check-url): "app.example" is not the URL of a receiver`:                         {"--check-url", "app.example"},
		`setting check-url (flag --check-url): the secret of https://app.example/check is not the base64`:          {"--check-url", url, "--check-secret", "short"},
		`setting check-secret (flag --check-secret): nothing is sent: set check-url`:                               {"--check-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
		`setting check-timeout (flag --check-timeout): 0s is out of range: write more than 0s, up to 10s`:          {"--check-url", url, "--check-timeout", "0s"},
		`setting check-failure (flag --check-failure): there is no verdict "PERHAPS": write ALLOW, HOLD or REMOVE`: {"--check-url", url, "--check-failure", "PERHAPS"},
	} {
		if _, err := run(t, append([]string{"config"}, args...)...); err == nil || exitCode(err) != 2 || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
	shown, err := run(t, "config", "--check-url", url, "--check-secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil || strings.Contains(shown, "whsec_") || !strings.Contains(shown, url) {
		t.Errorf("config shows: %v\n%s", err, shown)
	}
}
