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
	if _, err := s.contentCheck(); err != nil {
		return refuse(set, "check-url", "%v", err)
	}
	if s.CheckSecret != "" && s.CheckURL == "" {
		return refuse(set, "check-secret", "nothing is sent: set check-url")
	}
	if s.CheckTimeout <= 0 || s.CheckTimeout > maxCheckTimeout {
		return refuse(set, "check-timeout", "%v is out of range: write more than 0s, up to %v", s.CheckTimeout, maxCheckTimeout)
	}
	switch desk.CheckVerdict(s.CheckFailure) {
	case desk.CheckAllow, desk.CheckHold, desk.CheckRemove:
		return nil
	}
	return refuse(set, "check-failure", "there is no verdict %q: write ALLOW, HOLD or REMOVE", s.CheckFailure)
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
