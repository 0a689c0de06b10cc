// Package appstore verifies receipts of the App Store.
//
// The store is asked at its production address first, and at its sandbox when it says
// that a receipt is from there.
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
	// unreachable is what the store says when it cannot answer, and what stands for a
	// store that does not.
	unreachable = 21005
	// fromSandbox is a sandbox receipt at the production address, fromProduction the
	// other way about, which production sometimes says of a review's receipts as well.
	fromSandbox    = 21007
	fromProduction = 21008
)

// Verifier asks the store about receipts. Its fields are set once.
type Verifier struct {
	// Production and Sandbox are the addresses to ask.
	Production, Sandbox string
	// Secret is the app's shared secret, Bundle the app that receipts must be of.
	Secret, Bundle string
	// Client should have a timeout.
	Client *http.Client
}

// Receipt is what the store says about a subscription.
type Receipt struct {
	// OriginalTransactionID names the subscription, through all renewals.
	OriginalTransactionID string
	// Latest is the newest receipt of the subscription.
	Latest string
	// Info and PendingRenewal are JSON as the store has it: the latest transaction, and
	// what is to be renewed. The second may be empty.
	Info, PendingRenewal string
	// ExpiresAt and CancelledAt are zero where the store names no time.
	ExpiresAt, CancelledAt time.Time
}

// Status says whether a subscription holds.
type Status string

const (
	Active    Status = "ACTIVE"
	Expired   Status = "EXPIRED"
	Cancelled Status = "CANCELLED"
)

// Status of the subscription at a moment.
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

// answer is the part of the store's answer that counts.
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

// millisecond is a time in milliseconds since 1970, which the store writes as a text.
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

// Verify asks about a receipt, which is base64 and as the app got it. What the store
// refuses is an error of kind refusal.Fault, with the text that clients know.
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

// maxAnswer bounds what the store may answer, in bytes. The answer holds all
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
		return a, fmt.Errorf("%s answers %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&a); err != nil {
		return a, fmt.Errorf("%s does not answer with the JSON expected: %w", address, err)
	}
	return a, nil
}

// latest reads the last transaction of an answer.
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
