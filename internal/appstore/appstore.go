// Package appstore verifies App Store receipts.
//
// Receipts are sent to the production store first, and to the sandbox if it reports a
// sandbox receipt.
package appstore

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"stoa/internal/kit/refusal"
)

// Addresses of the store.
const (
	Production = "https://buy.itunes.apple.com/verifyReceipt"
	Sandbox    = "https://sandbox.itunes.apple.com/verifyReceipt"
)

// Statuses of the store.
const (
	malformed = 21002
	// unreachable is the store's own status for being unavailable, and is also used for a
	// store that does not respond.
	unreachable = 21005
	// fromSandbox means a sandbox receipt sent to production, fromProduction the reverse,
	// which production sometimes also reports for receipts of app review.
	fromSandbox    = 21007
	fromProduction = 21008
)

// Verifier verifies receipts with the store. Its fields are set once.
type Verifier struct {
	// Production and Sandbox are the addresses of the stores.
	Production, Sandbox string
	// Secret is the app's shared secret, Bundle the app's bundle id.
	Secret, Bundle string
	// Client should have a timeout.
	Client *http.Client
}

// Receipt is a verified subscription.
type Receipt struct {
	// OriginalTransactionID identifies the subscription across all renewals.
	OriginalTransactionID string
	// Latest is the newest receipt of the subscription.
	Latest string
	// Info and PendingRenewal are JSON from the store: the latest transaction and the
	// pending renewal, which may be empty.
	Info, PendingRenewal string
	// ExpiresAt and CancelledAt are zero if unknown.
	ExpiresAt, CancelledAt time.Time
}

// Status is the status of a subscription.
type Status string

const (
	Active    Status = "ACTIVE"
	Expired   Status = "EXPIRED"
	Cancelled Status = "CANCELLED"
)

// Status returns the status of the subscription at a time.
func (r Receipt) Status(now time.Time) Status {
	switch {
	case !r.CancelledAt.IsZero() && !r.CancelledAt.After(now):
		return Cancelled
	case !r.ExpiresAt.IsZero() && !r.ExpiresAt.After(now):
		return Expired
	default:
		return Active
	}
}

// answer is the relevant part of the store's response.
type answer struct {
	Status  int `json:"status"`
	Receipt struct {
		BundleID string `json:"bundle_id"`
	} `json:"receipt"`
	LatestReceipt      string            `json:"latest_receipt"`
	LatestReceiptInfo  []json.RawMessage `json:"latest_receipt_info"`
	PendingRenewalInfo json.RawMessage   `json:"pending_renewal_info"`
}

type transaction struct {
	OriginalTransactionID string      `json:"original_transaction_id"`
	ExpiresAt             millisecond `json:"expires_date_ms"`
	CancelledAt           millisecond `json:"cancellation_date_ms"`
}

// millisecond is a time in milliseconds since 1970, which the store encodes as a string.
type millisecond time.Time

func (m *millisecond) UnmarshalJSON(b []byte) error {
	text := string(bytes.Trim(b, `"`))
	if text == "" || text == "null" {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	*m = millisecond(time.UnixMilli(n).UTC())
	return err
}

// Verify verifies a receipt, in base64 as received by the app. If the store refuses it, the
// error is of kind refusal.Fault with the text that clients know.
func (v *Verifier) Verify(ctx context.Context, receipt string) (Receipt, error) {
	if !isBase64(receipt) {
		return Receipt{}, statusFault(v.Production, malformed, receipt)
	}
	address := v.Production
	a, err := v.ask(ctx, address, receipt)
	if err == nil && (a.Status == fromSandbox || a.Status == fromProduction) {
		address = v.Sandbox
		a, err = v.ask(ctx, address, receipt)
	}
	switch {
	case ctx.Err() != nil:
		return Receipt{}, ctx.Err()
	case err != nil:
		return Receipt{}, errors.Join(statusFault(address, unreachable, receipt), err)
	case a.Status != 0:
		return Receipt{}, statusFault(address, a.Status, receipt)
	case a.Receipt.BundleID != v.Bundle:
		return Receipt{}, refusal.Faultf("AppStore `%s` responded with bundle id `%s` for receipt `%s`", address, a.Receipt.BundleID, receipt)
	}
	r, err := a.latest()
	if err != nil {
		return Receipt{}, errors.Join(statusFault(address, unreachable, receipt), err)
	}
	return r, nil
}

func statusFault(address string, status int, receipt string) error {
	return refusal.Faultf("AppStore `%s` responded with status `%d` for receipt `%s`", address, status, receipt)
}

func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(text)
	return err == nil && text != ""
}

// maxAnswer is the maximum size of the store's response, in bytes. It contains all
// transactions of a subscription.
const maxAnswer = 16 << 20

func (v *Verifier) ask(ctx context.Context, address, receipt string) (a answer, err error) {
	body, err := json.Marshal(map[string]any{
		"password": v.Secret, "receipt-data": receipt, "exclude-old-transactions": false,
	})
	if err != nil {
		return a, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := v.Client.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return a, fmt.Errorf("%s responded with %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&a); err != nil {
		return a, fmt.Errorf("unexpected response from %s: %w", address, err)
	}
	return a, nil
}

// latest returns the last transaction of a response.
func (a answer) latest() (Receipt, error) {
	if len(a.LatestReceiptInfo) == 0 {
		return Receipt{}, errors.New("the store names no transaction")
	}
	info := a.LatestReceiptInfo[len(a.LatestReceiptInfo)-1]
	var t transaction
	if err := json.Unmarshal(info, &t); err != nil {
		return Receipt{}, fmt.Errorf("the store's latest transaction: %w", err)
	}
	if t.OriginalTransactionID == "" {
		return Receipt{}, errors.New("the store's latest transaction has no original transaction id")
	}
	return Receipt{
		OriginalTransactionID: t.OriginalTransactionID,
		Latest:                a.LatestReceipt,
		Info:                  string(info),
		PendingRenewal:        string(a.PendingRenewalInfo),
		ExpiresAt:             time.Time(t.ExpiresAt),
		CancelledAt:           time.Time(t.CancelledAt),
	}, nil
}
