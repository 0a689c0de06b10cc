package social

import (
	"stoa/internal/desk"
	"stoa/internal/kit/refusal"
)

// PersonCase returns a user as the item of a case.
func PersonCase(id UserID) desk.Item {
	return desk.Item{System: SystemName, Kind: desk.Person, ItemID: string(id)}
}

// CheckReport refuses a report that the viewer may not make of the user, like a flag of their
// content. It needs BlockedTie.
func (s *SeenUser) CheckReport() error {
	s.read.need(BlockedTie, "user to report")
	id := s.user.UserID
	switch {
	case s.rel.self:
		return refusal.Invalidf("User cant report themselves")
	case !s.openTo():
		return refusal.Invalidf("User does not have access to user `%s`", id)
	case s.rel.BlockedBy:
		return refusal.Forbiddenf("User has been blocked by user `%s`", id)
	case s.rel.Blocks:
		return refusal.Forbiddenf("User has blocked user `%s`", id)
	default:
		return nil
	}
}
