package identity_test

import (
	"net/http"
	"testing"
	"time"

	"stoa/internal/kit/pace/pacetest"
)

func TestASlowBodyIsCutOff(t *testing.T) {
	answer, body, waited := pacetest.Drip(t, newHouse(t).handler,
		"POST /auth/sign-up HTTP/1.1\r\nHost: stoa.test\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{")
	if answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
		t.Errorf("answered %v", answer)
	}
	if want := `{"error":{"code":"TIMEOUT","message":"The request body arrives too slowly"}}` + "\n"; body != want {
		t.Errorf("answered %s", body)
	}
	if waited > 11*time.Second {
		t.Errorf("cut off after %v", waited)
	}
}

func TestALargeBodyIsRefused(t *testing.T) {
	answer, body := pacetest.Whole(t, newHouse(t).handler,
		"POST /auth/sign-up HTTP/1.1\r\nHost: stoa.test\r\nContent-Type: application/json\r\nContent-Length: 16000000\r\n\r\n", 16_000_000)
	if want := `{"error":{"code":"TOO_LARGE","message":"The request body may have 16384 bytes"}}` + "\n"; answer.StatusCode != http.StatusRequestEntityTooLarge || body != want {
		t.Errorf("answered %s, %s", answer.Status, body)
	}
}
