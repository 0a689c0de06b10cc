package messaging

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// Push is a push notification of a message.
type Push struct {
	Title, Body string
	// Key identifies a push: a device displays only one of those with the same key.
	Key  string
	Data map[string]string
}

// previewed is the number of characters of a message that a push contains.
const previewed = 80

// PushOf returns the push notification of a message in a topic. from, its author, may be
// nil.
func PushOf(m *Message, t *Topic, from *User) Push {
	p := Push{
		Title: "New message", Body: clip(m.Content.Text(), previewed), Key: m.MessageRef.String(),
		Data: map[string]string{
			"topic": string(m.Topic), "sender": PublicID(m.From), "seq": strconv.Itoa(m.Seq), "ts": m.CreatedAt.UTC().Format(time.RFC3339Nano), "mime": m.Mime(),
		},
	}
	p.Data["content"] = p.Body
	if from != nil {
		if name, _ := from.Public.object()["fn"].(string); name != "" {
			p.Title = clip(name, previewed)
		}
	}
	if name, _ := t.Name(); name != "" {
		p.Title += " · " + clip(name, previewed)
	}
	return p
}

// Name returns the name in the topic's description, if there is one.
func (t *Topic) Name() (name string, ok bool) {
	if t == nil {
		return "", false
	}
	name, ok = t.Public.object()["fn"].(string)
	return name, ok
}

// clip truncates text to a maximum number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}
