package communities

import (
	"strings"

	"stoa/internal/desk"
)

// SystemName is the name of the system in cases.
const SystemName = "communities"

// CaseItem returns a message of a group chat as the item of a case.
func (r MessageRef) CaseItem() desk.Item {
	return desk.Item{System: SystemName, Kind: desk.Message, ItemID: string(r.Chat.ID) + "." + r.Opaque()}
}

// MessageOf returns the message that a case is about.
func MessageOf(i desk.Item) (MessageRef, bool) {
	chat, id, ok := strings.Cut(i.ItemID, ".")
	m, valid := ParseMoment(id)
	return MessageRef{ChatRef{Type: Group, ID: ChatID(chat)}, m}, ok && valid && i.Kind == desk.Message
}
