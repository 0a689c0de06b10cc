package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"stoa/internal/desk"
	"stoa/internal/webhook"
)

// ContentCheck configures the check of content before others see it.
type ContentCheck struct {
	// At is the service that checks content; without a URL, nothing is checked.
	At webhook.Hook
	// Timeout is how long an answer may take, and Failure the verdict without one.
	Timeout time.Duration
	Failure desk.CheckVerdict
	// Ask posts a question and returns the answer; nil does it over HTTP.
	Ask func(ctx context.Context, h webhook.Hook, id string, at time.Time, body []byte) (answer []byte, err error)
}

// Checker returns who checks content, or nil for nobody.
func (h *Host) Checker() desk.Checker {
	if h.Check.At.URL == "" {
		return nil
	}
	c := &checker{host: h, ContentCheck: h.Check}
	if c.Ask == nil {
		c.Ask = webhook.NewSender(h.PrivateWebhooks).Ask
	}
	return c
}

type checker struct {
	host *Host
	ContentCheck
}

// question is what is posted about content. docs/webhooks.md describes it.
type question struct {
	System string           `json:"system"`
	Kind   desk.ContentKind `json:"kind"`
	ItemID string           `json:"itemId"`
	Author desk.UserID      `json:"author"`
	Text   string           `json:"text"`
	Media  []string         `json:"media"`
}

// Check implements desk.Checker.
func (c *checker) Check(ctx context.Context, d desk.Draft) (desk.Check, error) {
	found, err := c.ask(ctx, d)
	if err == nil {
		return found, nil
	}
	if ctx.Err() != nil {
		return desk.Check{}, ctx.Err()
	}
	c.host.Log.WarnContext(ctx, "the content check failed", slog.String("item", d.ID()), slog.String("verdict", string(c.Failure)), slog.Any("error", err))
	return desk.Check{Verdict: c.Failure, Note: desk.Excerpt(err.Error()), Failed: true}, nil
}

func (c *checker) ask(ctx context.Context, d desk.Draft) (found desk.Check, err error) {
	q := question{System: d.System, Kind: d.Kind, ItemID: d.ItemID, Author: d.Author, Text: d.Text, Media: d.Media}
	if q.Media == nil {
		q.Media = []string{}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return found, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("no answer within %v", c.Timeout))
	defer cancel()
	answer, err := c.Ask(ctx, c.At, "check."+c.host.NewID(), c.host.Now(), body)
	if err != nil {
		var of *url.Error // moderators read the error, and the URL may have a secret
		switch {
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		case errors.As(err, &of):
			err = of.Err
		}
		return found, err
	}
	var a struct {
		Verdict desk.CheckVerdict
		Rule    string
		Note    string
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return found, fmt.Errorf("the answer is not what it should be: %w", err)
	}
	if !slices.Contains(desk.CheckVerdicts, a.Verdict) {
		return found, fmt.Errorf("the answer has no verdict of %v", desk.CheckVerdicts)
	}
	return desk.Check{Verdict: a.Verdict, Rule: desk.Excerpt(a.Rule), Note: desk.Excerpt(a.Note)}, nil
}
