package chat

import (
	"stoa/internal/area"
	"stoa/internal/outbox"
)

// Register registers what the area receives.
func (s *Service) Register(r *area.Registry) {
	outbox.FanOut(r.Outbox, "chatMembers", s.Joined)
	outbox.FanOut(r.Outbox, "chatMembers", s.MessageAdded)
	outbox.FanOut(r.Outbox, "chatMembers", s.MessageEdited)
	outbox.FanOut(r.Outbox, "chatMembers", s.MessageDeleted)
	outbox.FanOut(r.Outbox, "chatMembers", s.MessageRestored)
	outbox.On(r.Outbox, s.UnviewedChatsChanged)
	outbox.On(r.Outbox, s.UserBlocked)
	outbox.FanOut(r.Outbox, "chats", s.ChatDeleted)
	outbox.FanOut(r.Outbox, "chats", s.UserRemoved)
	outbox.FanOut(r.Outbox, "chatViews", s.ViewerRemoved)
	outbox.On(r.Outbox, s.MatchConfirmed)
	outbox.FanOut(r.Outbox, "messages", s.BadWordsReplaced)
	outbox.On(r.Outbox, s.JudgeAdded)
	outbox.On(r.Outbox, s.JudgeEdited)
	outbox.On(r.Outbox, s.MessageRefused)
}
