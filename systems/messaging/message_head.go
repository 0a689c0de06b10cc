package messaging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Members of a head that have a meaning to the service.
const (
	headReplace   = "replace"
	headReply     = "reply"
	headForwarded = "forwarded"
	headSender    = "sender"
	headMime      = "mime"
)

var seqForm = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// ParseHead checks the head of a message published in a topic. It removes members that only
// the server may set, and names two-person topics in references as they are stored: the id
// of the other user means another topic to them.
func ParseHead(head JSON, t TopicID, by UserID) (JSON, error) {
	if head.IsNull() {
		return "", nil
	}
	members := head.object()
	if members == nil {
		return "", badInput("INVALID_HEAD", "head is an object")
	}
	delete(members, headSender)
	if len(members) == 0 {
		return "", nil
	}
	for name, value := range members {
		if err := checkHead(name, value, t, by); err != nil {
			return "", err
		}
		if text, _ := value.(string); (name == headReply || name == headForwarded) && !strings.HasPrefix(text, ":") {
			ref, _ := reference(text, t, by)
			members[name] = ref.String()
		}
	}
	return JSONOf(members)
}

func checkHead(name string, value any, t TopicID, by UserID) error {
	text, isText := value.(string)
	bad := func(what string) error { return badInput("INVALID_HEAD", "head.%s %s", name, what) }
	switch name {
	case headReplace:
		if number, ok := strings.CutPrefix(text, ":"); !ok || !seqForm.MatchString(number) {
			return bad("is a colon and the number of a message of this topic, such as :5")
		}
	case headReply:
		if ref, ok := reference(text, t, by); !ok || ref.Topic != t {
			return bad("is this topic, a colon and the number of a message, or just :5")
		}
	case headMime, "thread":
		if !isText || text == "" {
			return bad("is a text")
		}
	case headForwarded:
		if _, ok := reference(text, t, by); !ok {
			return bad("is a topic, a colon and the number of a message")
		}
	case "mentions":
		list, ok := value.([]any)
		if !ok || slices.ContainsFunc(list, func(e any) bool { text, _ := e.(string); _, ok := ParseUser(text); return !ok }) {
			return bad("is a list of user ids")
		}
	case "attachments":
		if _, ok := value.([]any); !ok {
			return bad("is a list")
		}
	case "auto":
		if _, ok := value.(bool); !ok {
			return bad("is true or false")
		}
	}
	return nil
}

// reference parses a reference to a message within a topic.
func reference(text string, within TopicID, by UserID) (MessageRef, bool) {
	name, number, ok := strings.Cut(text, ":")
	if !ok || !seqForm.MatchString(number) {
		return MessageRef{}, false
	}
	t := within
	if name != "" {
		if t, ok = ParseTopic(name, by); !ok {
			return MessageRef{}, false
		}
	}
	seq, err := strconv.Atoi(number)
	return MessageRef{t, seq}, err == nil
}

// Replaces returns the number of the message that this one replaces, or 0.
func (m *Message) Replaces() int { return ReplacedBy(m.Head) }

// ReplacedBy returns the number of the message that one with the given head replaces, or 0.
func ReplacedBy(head JSON) int {
	if !strings.Contains(string(head), headReplace) {
		return 0
	}
	text, _ := head.object()[headReplace].(string)
	seq, _ := strconv.Atoi(strings.TrimPrefix(text, ":"))
	return seq
}

// RepliedBy returns the number of the message that one with the given head replies to, or 0.
func RepliedBy(head JSON) int {
	text, _ := head.object()[headReply].(string)
	ref, _ := reference(text, "", "")
	return ref.Seq
}

// ErrReference is returned for replies to messages that do not exist yet.
var ErrReference = badInput("INVALID_HEAD", "head.reply refers to a message that was not published yet")

// Replacing returns the head of a message that replaces another with the given head.
func Replacing(seq int, old JSON) JSON {
	members := old.object()
	head := map[string]any{headReplace: ":" + strconv.Itoa(seq)}
	if mime, ok := members[headMime]; ok {
		head[headMime] = mime
	}
	text, err := JSONOf(head)
	if err != nil {
		return ""
	}
	return text
}

// Mime returns the type of the content, or "" if unset.
func (m *Message) Mime() string {
	mime, _ := m.Head.object()[headMime].(string)
	return mime
}
