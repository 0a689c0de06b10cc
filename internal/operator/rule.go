package operator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"

	"stoa/internal/kit/refusal"
)

// HouseRule is a rule that people who use the service have to keep.
type HouseRule struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// HouseRules are the rules of a service, in their order.
type HouseRules []*HouseRule

// ReadHouseRules reads rules in the form of the setting rules-file: a JSON array of objects
// with the texts id, title and text.
func ReadHouseRules(r io.Reader) (HouseRules, error) {
	var rules HouseRules
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&rules); err != nil {
		return nil, fmt.Errorf("rules are a JSON array of objects with id, title and text: %w", err)
	}
	if d.More() {
		return nil, errors.New("rules are one JSON array")
	}
	seen := map[string]bool{}
	for i, rule := range rules {
		switch {
		case rule == nil || rule.ID == "" || rule.Title == "" || rule.Text == "":
			return nil, fmt.Errorf("rule %d needs an id, a title and a text", i+1)
		case seen[rule.ID]:
			return nil, fmt.Errorf("two rules have the id %q", rule.ID)
		}
		seen[rule.ID] = true
	}
	return rules, nil
}

// Find returns a rule, or nil if there is none of that id.
func (all HouseRules) Find(id string) *HouseRule {
	for _, r := range all {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// houseRules returns the rules in force.
func (s *Service) houseRules() HouseRules {
	if s.House != nil {
		if all := s.House(); all != nil {
			return all
		}
	}
	return HouseRules{}
}

// Rules returns the house rules.
func (s *Service) Rules(ctx context.Context) ([]*HouseRule, error) {
	if _, err := s.Actor(ctx); err != nil {
		return nil, err
	}
	return s.houseRules(), nil
}

// Rule returns a house rule, or nil if there is none of that id any more.
func (s *Service) Rule(id string) *HouseRule { return s.houseRules().Find(id) }

// LastRule returns the rule of the last decision about a case, or nil.
func (s *Service) LastRule(c *Case) *HouseRule {
	if d := c.Last(); d != nil {
		return s.Rule(d.Rule)
	}
	return nil
}

// CheckRule refuses the id of a rule that does not exist. "" stands for no rule.
func (s *Service) CheckRule(id string) error {
	if id != "" && s.houseRules().Find(id) == nil {
		return refusal.NotFoundf("Rule `%s` does not exist", id)
	}
	return nil
}

// RuleTitle returns the title of a rule, or "" if there is none.
func (s *Service) RuleTitle(id string) string {
	if r := s.Rule(id); r != nil {
		return r.Title
	}
	return ""
}

const rulesHead = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Rules</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Rules</h1>
`

// page returns the rules as HTML. Package html/template would keep much of what the program
// does not use: see package cli.
func (all HouseRules) page() string {
	var b strings.Builder
	b.WriteString(rulesHead)
	for _, r := range all {
		fmt.Fprintf(&b, `<section id="%s"><h2>%s</h2>`, html.EscapeString(r.ID), html.EscapeString(r.Title))
		for _, p := range r.Paragraphs() {
			fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(p))
		}
		b.WriteString("</section>\n")
	}
	if len(all) == 0 {
		b.WriteString("<p>This service has no rules of its own.</p>\n")
	}
	b.WriteString("</html>\n")
	return b.String()
}

// Paragraphs returns the text split at empty lines.
func (r *HouseRule) Paragraphs() []string { return strings.Split(strings.TrimSpace(r.Text), "\n\n") }

// ServeHTTP serves the rules as a page, or as JSON to those who prefer that.
func (all HouseRules) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Vary", "Accept")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(all)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	_, _ = io.WriteString(w, all.page())
}
