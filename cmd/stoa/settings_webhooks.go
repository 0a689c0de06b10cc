package main

import (
	"encoding/json"
	"errors"

	"github.com/goccy/go-yaml"

	"stoa/internal/host"
	"stoa/internal/webhook"
)

// Webhooks are receivers of notices. In the settings file, they are a list; elsewhere, the
// same as JSON.
type Webhooks []Webhook

// Webhook is a receiver of notices.
type Webhook struct {
	URL    string   `yaml:"url" json:"url"`
	Secret string   `yaml:"secret" json:"secret"`
	Events []string `yaml:"events" json:"events"`
}

// Nested implements config.Nested.
func (*Webhooks) Nested() {}

// MarshalText writes JSON, or nothing for no webhooks.
func (w Webhooks) MarshalText() ([]byte, error) {
	if len(w) == 0 {
		return nil, nil
	}
	return json.Marshal([]Webhook(w)) // which has no MarshalText
}

var errWebhooks = errors.New("is not a list of webhooks: write each with url, secret and events")

// UnmarshalText reads YAML, of which JSON is a part.
func (w *Webhooks) UnmarshalText(text []byte) error {
	var all Webhooks
	if len(text) > 0 {
		if err := yaml.UnmarshalWithOptions(text, (*[]Webhook)(&all), yaml.DisallowUnknownField()); err != nil {
			return errWebhooks
		}
	}
	*w = all
	return nil
}

// webhooks checks the webhooks.
func (s *Settings) webhooks() (all []webhook.Hook, err error) {
	for _, w := range s.Webhooks {
		hook, err := webhook.New(w.URL, w.Secret, w.Events, host.Notices)
		if err != nil {
			return nil, usage("setting webhooks: %v", err)
		}
		all = append(all, hook)
	}
	return all, nil
}
