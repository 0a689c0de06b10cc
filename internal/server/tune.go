package server

import (
	"stoa/internal/kit/ratelimit"
	"stoa/internal/server/operation"
)

// Tuning is the part of a Config that can change while a Server serves.
type Tuning struct {
	// Rate, CORSOrigins and Operation are those of Config and of its Limits.
	Rate        ratelimit.Limit
	CORSOrigins []string
	Operation   operation.Limits
}

// Tuning returns the part that can change.
func (c Config) Tuning() Tuning { return Tuning{c.Rate, c.CORSOrigins, c.Limits.Operation} }

// tuned is what requests read of a Tuning.
type tuned struct {
	rate    ratelimit.Limit
	origins origins
}

func (t Tuning) parse(local bool) (*tuned, error) {
	o, err := parseOrigins(t.CORSOrigins, local)
	return &tuned{t.Rate, o}, err
}

// Tune changes what requests are subject to from now on. Those that run are finished as they
// began, and the documents that clients have sent are validated again. An
// error names the setting to change, and then nothing changes.
func (s *Server) Tune(t Tuning) error {
	parsed, err := t.parse(s.config.LocalOrigins)
	if err != nil {
		return err
	}
	s.tuned.Store(parsed)
	for _, e := range s.endpoints {
		e.executor.SetLimits(e.System.given.Or(t.Operation.Or(DefaultLimits.Operation)))
	}
	return nil
}
