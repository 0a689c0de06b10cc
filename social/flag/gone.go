package flag

import (
	"context"
	"strings"
	"time"

	"stoa/internal/kit/page"
	"stoa/internal/outbox"
	"stoa/social"
)

// UserRemoved deletes the flags by a removed profile, a page of one kind at a time. The
// cursor starts with the kind.
func (s *Service) UserRemoved(ctx context.Context, e social.UserRemoved, cursor string, _ outbox.Tell) (next string, rows int, err error) {
	kind, after, _ := strings.Cut(cursor, " ")
	if kind == "" {
		kind = string(social.FlagKinds[0])
	}
	flags, err := s.Store.ByUser(ctx, social.FlagKind(kind), e.UserID, page.Query{First: page.Max, After: after})
	if err != nil {
		return "", 0, err
	}
	rows, err = social.EachLeft(ctx, e, s.Profiles, flags.Items, func(f social.Flag) time.Time { return f.CreatedAt }, func(f social.Flag) error {
		return s.Store.Remove(ctx, f)
	})
	if flags.Next != "" {
		return kind + " " + flags.Next, rows, err
	}
	return behind(social.FlagKind(kind)), rows, err
}

// behind returns the cursor of the kind after kind, or "" after the last.
func behind(kind social.FlagKind) string {
	for i, k := range social.FlagKinds[:len(social.FlagKinds)-1] {
		if k == kind {
			return string(social.FlagKinds[i+1]) + " "
		}
	}
	return ""
}
