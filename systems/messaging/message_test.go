package messaging

import (
	"strings"
	"testing"
	"time"
)

var (
	ana, ben = UserID(Short("ana")), UserID(Short("ben"))
	group    = NewGroup(Short("group"))
	pair     = PairTopic(ana, ben)
	noon     = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
)

// messaging 5.6#4: which heads are valid.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		head, want string
		err        bool
	}{
		{``, ``, false},
		{`null`, ``, false},
		{`{}`, ``, false},
		{`[]`, ``, true},
		{`"text"`, ``, true},
		{`{"sender":"me"}`, ``, false},
		{`{"sender":"me","x-own":[1.50,null]}`, `{"x-own":[1.50,null]}`, false},
		{`{"mime":"text/plain"}`, `{"mime":"text/plain"}`, false},
		{`{"mime":""}`, ``, true},
		{`{"mime":1}`, ``, true},
		{`{"thread":""}`, ``, true},
		{`{"thread":"t"}`, `{"thread":"t"}`, false},
		{`{"replace":":5"}`, `{"replace":":5"}`, false},
		{`{"replace":"5"}`, ``, true},
		{`{"replace":":0"}`, ``, true},
		{`{"replace":":05"}`, ``, true},
		{`{"replace":":-1"}`, ``, true},
		{`{"replace":":1e2"}`, ``, true},
		{`{"replace":":9999999999"}`, ``, true},
		{`{"replace":5}`, ``, true},
		{`{"replace":"` + string(group) + `:5"}`, ``, true},
		{`{"reply":":5"}`, `{"reply":":5"}`, false},
		{`{"reply":"` + string(group) + `:5"}`, `{"reply":"` + string(group) + `:5"}`, false},
		{`{"reply":"` + string(pair) + `:5"}`, ``, true},
		{`{"reply":"` + string(group) + `:"}`, ``, true},
		{`{"reply":"grp:5"}`, ``, true},
		{`{"forwarded":"` + string(pair) + `:5"}`, `{"forwarded":"` + string(pair) + `:5"}`, false},
		{`{"forwarded":"` + PublicID(ben) + `:5"}`, `{"forwarded":"` + string(pair) + `:5"}`, false},
		{`{"forwarded":":5"}`, `{"forwarded":":5"}`, false},
		{`{"forwarded":"there"}`, ``, true},
		{`{"mentions":["` + PublicID(ben) + `"]}`, `{"mentions":["` + PublicID(ben) + `"]}`, false},
		{`{"mentions":["` + string(ben) + `"]}`, ``, true},
		{`{"mentions":"` + PublicID(ben) + `"}`, ``, true},
		{`{"mentions":[]}`, `{"mentions":[]}`, false},
		{`{"attachments":{}}`, ``, true},
		{`{"auto":false}`, `{"auto":false}`, false},
		{`{"auto":"no"}`, ``, true},
	} {
		got, err := ParseHead(JSON(c.head), group, ana)
		want := ""
		if c.err {
			want = "INVALID_HEAD"
		}
		refused(t, c.head, err, want)
		if string(got) != c.want {
			t.Errorf("%s becomes %s, %v, want %s", c.head, got, err, c.want)
		}
	}
}

// messaging 5.6#4: what a head replaces and replies to.
func TestWhatHeadsReferTo(t *testing.T) {
	for head, want := range map[string][2]int{ // the messages replaced and replied to
		``:                                       {0, 0},
		`{"replace":":5"}`:                       {5, 0},
		`{"reply":":7"}`:                         {0, 7},
		`{"replace":":5","reply":":7"}`:          {5, 7},
		`{"reply":"` + string(pair) + `:8"}`:     {0, 8},
		`{"x-own":"replace :5"}`:                 {0, 0},
		`{"forwarded":"` + string(pair) + `:9"}`: {0, 0},
	} {
		if got := [2]int{ReplacedBy(JSON(head)), RepliedBy(JSON(head))}; got != want {
			t.Errorf("%s refers to %v, want %v", head, got, want)
		}
	}
	if got := Replacing(5, `{"mime":"text/html","reply":":2"}`); got != `{"mime":"text/html","replace":":5"}` {
		t.Errorf("a replacement has the head %s", got)
	}
}

// messaging 5.1#5: content and head together are limited.
func TestSizesOfMessages(t *testing.T) {
	content := JSON(strings.Repeat("x", MaxMessage-10))
	if err := CheckSize(content, "0123456789"); err != nil {
		t.Errorf("a message of the largest size is refused: %v", err)
	}
	refused(t, "one byte more", CheckSize(content+"x", "0123456789"), "MESSAGE_TOO_LARGE")
}

// messaging 2.6: expired messages are left out.
func TestMessagesUntilTheyExpire(t *testing.T) {
	m := &Message{CreatedAt: noon, Expires: noon.Add(time.Hour), Content: `"x"`, Head: `{"mime":"a"}`}
	erased := m.Erased(noon.Add(time.Minute))
	for _, c := range []struct {
		m            *Message
		at           time.Duration
		lives, there bool
	}{
		{nil, 0, false, false}, {m, 0, true, true}, {m, time.Hour - 1, true, true}, {m, time.Hour, false, false}, {erased, 2 * time.Minute, false, true},
		{erased, time.Hour, false, false},
	} {
		if now := noon.Add(c.at); c.m.Exists(now) != c.lives || c.m.Stored(now) != c.there {
			t.Errorf("%v after %s: lives %t, there %t", c.m, c.at, c.m.Exists(now), c.m.Stored(now))
		}
	}
	if erased.Content != "" || erased.Head != "" || erased.UpdatedAt() != noon.Add(time.Minute) || m.UpdatedAt() != noon || m.Content == "" {
		t.Errorf("erased: %+v of %+v", erased, m)
	}
}

func TestNumbersInJSON(t *testing.T) {
	for value, err := range map[any]string{
		0.1: "", -1e125: "INVALID_JSON", 1e124: "", 1e-125: "", 1e-127: "INVALID_JSON", "1e400": "", nil: "", true: "",
	} {
		_, got := JSONOf(value)
		refused(t, value, got, err)
	}
	deep := any("x")
	for range 28 {
		deep = []any{deep}
	}
	_, err := JSONOf(deep)
	refused(t, "29 levels", err, "")
	_, err = JSONOf([]any{[]any{deep}})
	refused(t, "31 levels", err, "INVALID_JSON")
	_, err = JSONOf(map[string]any{"a": map[string]any{"": 1}})
	refused(t, "a member without a name", err, "INVALID_JSON")
	if got, err := JSONOf(map[string]any{"b": "<&>", "a": nil}); got != `{"a":null,"b":"<&>"}` || err != nil {
		t.Errorf("written as %s, %v", got, err)
	}
}
