package communities

import (
	"strings"

	"stoa/internal/desk"
)

// SystemName is the name of the system in cases.
const SystemName = "communities"

// inPrivate begins the ids of cases of messages in private chats.
const inPrivate = "private."

// CaseItem returns a message as the item of a case.
func (r MessageRef) CaseItem() desk.Item {
	id := string(r.Chat.ID) + "." + r.Opaque()
	if r.Chat.Type == Private {
		id = inPrivate + id
	}
	return desk.Item{System: SystemName, Kind: desk.Message, ItemID: id}
}

// MessageOf returns the message that a case is about.
func MessageOf(i desk.Item) (MessageRef, bool) {
	t := Group
	text, private := strings.CutPrefix(i.ItemID, inPrivate)
	if private {
		t = Private
	}
	chat, id, ok := strings.Cut(text, ".")
	m, valid := ParseMoment(id)
	return MessageRef{ChatRef{Type: t, ID: ChatID(chat)}, m}, ok && valid && i.Kind == desk.Message
}
