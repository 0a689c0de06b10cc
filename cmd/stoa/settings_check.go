package main

import (
	"time"

	"stoa/internal/desk"
	"stoa/internal/host"
	"stoa/internal/kit/config"
	"stoa/internal/webhook"
)

// maxCheckTimeout is the longest time that the answer to a mutation may wait for the content check.
const maxCheckTimeout = 10 * time.Second

// checkContentCheck refuses invalid settings of the content check.
func (s *Settings) checkContentCheck(set *config.Set) error {
	source := func(name string) any { return set.Field(name).Source() }
	if _, err := s.contentCheck(); err != nil {
		return usage("setting check-url (%s): %v", source("check-url"), err)
	}
	if s.CheckSecret != "" && s.CheckURL == "" {
		return usage("setting check-secret (%s): nothing is sent: set check-url", source("check-secret"))
	}
	if s.CheckTimeout <= 0 || s.CheckTimeout > maxCheckTimeout {
		return usage("setting check-timeout (%s): %v is out of range: write more than 0s, up to %v", source("check-timeout"), s.CheckTimeout, maxCheckTimeout)
	}
	switch desk.CheckVerdict(s.CheckFailure) {
	case desk.CheckAllow, desk.CheckHold, desk.CheckRemove:
		return nil
	}
	return usage("setting check-failure (%s): there is no verdict %q: write ALLOW, HOLD or REMOVE", source("check-failure"), s.CheckFailure)
}

// contentCheck returns the content check, which may be none.
func (s *Settings) contentCheck() (c host.ContentCheck, err error) {
	if s.CheckURL == "" {
		return c, nil
	}
	c.Timeout, c.Failure = s.CheckTimeout, desk.CheckVerdict(s.CheckFailure)
	c.At, err = webhook.NewQuestioned(s.CheckURL, s.CheckSecret)
	return c, err
}
