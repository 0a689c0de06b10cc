package messaging

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// Push is what devices are told of a message.
type Push struct {
	Title, Body string
	// Key tells pushes apart: of those with the same key a device shows one.
	Key  string
	Data map[string]string
}

// previewed is how many characters of a message a push shows.
const previewed = 80

// PushOf is what devices are told of a message by somebody, who may be gone, in a topic.
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

// Name is what the topic calls itself, if it does.
func (t *Topic) Name() (name string, ok bool) {
	if t == nil {
		return "", false
	}
	name, ok = t.Public.object()["fn"].(string)
	return name, ok
}

// clip shortens text to a number of characters.
func clip(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}
