package appstore_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/appstore"
	"stoa/internal/appstore/appstoretest"
	"stoa/internal/kit/refusal"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestVerify(t *testing.T) {
	s := appstoretest.New(t)
	v := s.Verifier()
	for _, sandbox := range []bool{false, true} {
		receipt := s.Set("good", appstoretest.Receipt{Sandbox: sandbox, OriginalTransactionID: "1000", ExpiresAt: now})
		got, err := v.Verify(t.Context(), receipt)
		if err != nil {
			t.Fatal(err)
		}
		want := appstore.Receipt{
			OriginalTransactionID: "1000", Latest: receipt + "bGF0ZXN0", ExpiresAt: now,
			Info:           `{"expires_date_ms":"1767323045000","original_transaction_id":"1000","product_id":"diamond"}`,
			PendingRenewal: `[{"auto_renew_status":"1"}]`,
		}
		if got != want {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
		asked := []string{"/production"}
		if sandbox {
			asked = append(asked, "/sandbox")
		}
		if got := s.Asked(); !slices.Equal(got, asked) {
			t.Errorf("asked %v, want %v", got, asked)
		}
	}
}

func TestRefusals(t *testing.T) {
	s := appstoretest.New(t)
	v := s.Verifier()
	for _, c := range []struct {
		name    string
		receipt string
		known   appstoretest.Receipt
		sandbox bool
		want    string
	}{
		{name: "unknown", receipt: "bm9ib2R5", want: "status `21003`"},
		{name: "no base64", receipt: "no base64!", want: "status `21002`"},
		{name: "empty", receipt: "", want: "status `21002`"},
		{name: "a status", known: appstoretest.Receipt{Status: 21010}, want: "status `21010`"},
		{name: "from neither store", known: appstoretest.Receipt{Status: 21007}, sandbox: true, want: "status `21007`"},
		{name: "another app", known: appstoretest.Receipt{BundleID: "com.example", OriginalTransactionID: "1"}, want: "bundle id `com.example`"},
		{name: "another app in the sandbox", known: appstoretest.Receipt{Sandbox: true, BundleID: "com.example", OriginalTransactionID: "1"}, sandbox: true,
			want: "bundle id `com.example`"},
		{name: "no transaction id", known: appstoretest.Receipt{}, want: "status `21005`"},
		{name: "no transaction", known: appstoretest.Receipt{Body: `{"status":0,"receipt":{"bundle_id":"com.example.app"}}`}, want: "status `21005`"},
		{name: "nonsense", known: appstoretest.Receipt{Body: `<html>`}, want: "status `21005`"},
		{name: "a time that is none", known: appstoretest.Receipt{Body: `{"status":0,"receipt":{"bundle_id":"com.example.app"},` +
			`"latest_receipt_info":[{"original_transaction_id":"1","expires_date_ms":"soon"}]}`}, want: "status `21005`"},
		{name: "overloaded", known: appstoretest.Receipt{Code: 503}, want: "status `21005`"},
		{name: "silent", known: appstoretest.Receipt{Silent: true}, want: "status `21005`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.known.Silent {
				v.Client = &http.Client{Timeout: 50 * time.Millisecond}
			}
			receipt, address := c.receipt, v.Production
			if c.known != (appstoretest.Receipt{}) || c.name == "no transaction id" {
				receipt = s.Set(c.name, c.known)
			}
			if c.sandbox {
				address = v.Sandbox
			}
			got, err := v.Verify(t.Context(), receipt)
			var refused *refusal.Error
			want := "AppStore `" + address + "` responded with " + c.want + " for receipt `" + receipt + "`"
			if !errors.As(err, &refused) || refused.Kind != refusal.Fault || refused.Text != want || got != (appstore.Receipt{}) {
				t.Errorf("got %+v, %v\nwant %s", got, err, want)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	v := &appstore.Verifier{Production: "http://127.0.0.1:1", Sandbox: "http://127.0.0.1:1", Client: http.DefaultClient}
	receipt := base64.StdEncoding.EncodeToString([]byte("good"))
	_, err := v.Verify(t.Context(), receipt)
	if err == nil || !strings.Contains(err.Error(), "AppStore `http://127.0.0.1:1` responded with status `21005` for receipt `"+receipt+"`") {
		t.Errorf("got %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Verify(cancelled, receipt); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the caller has gone", err)
	}
}

func TestWrongSecret(t *testing.T) {
	s := appstoretest.New(t)
	v := s.Verifier()
	v.Secret = "guess"
	_, err := v.Verify(t.Context(), s.Set("good", appstoretest.Receipt{OriginalTransactionID: "1"}))
	if err == nil || !strings.Contains(err.Error(), "status `21004`") {
		t.Errorf("got %v", err)
	}
}

func TestStatus(t *testing.T) {
	before, after := now.Add(-time.Millisecond), now.Add(time.Millisecond)
	for _, c := range []struct {
		expires, cancelled time.Time
		want               appstore.Status
	}{
		{time.Time{}, time.Time{}, appstore.Active},
		{after, time.Time{}, appstore.Active},
		{now, time.Time{}, appstore.Expired},
		{before, time.Time{}, appstore.Expired},
		{after, now, appstore.Cancelled},
		{before, before, appstore.Cancelled},
		{after, after, appstore.Active},
		{before, after, appstore.Expired},
		{time.Time{}, before, appstore.Cancelled},
	} {
		if got := (appstore.Receipt{ExpiresAt: c.expires, CancelledAt: c.cancelled}).Status(now); got != c.want {
			t.Errorf("expires %v, cancelled %v: %s, want %s", c.expires, c.cancelled, got, c.want)
		}
	}
}
