package messaging

import (
	"encoding/json"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzHeads searches for heads of messages that are expensive to check, and for heads that
// are read differently once they have been stored.
func FuzzHeads(f *testing.F) {
	for _, text := range []string{
		`{"replace":":1","mime":"text/x-drafty"}`, `{"reply":"grpAbc:7"}`, `{"sender":"usrX","a":[1,{"b":null}]}`, `[]`, `{`, `{"replace":1e400}`, "",
		`{"replace":":` + strings.Repeat("9", hostile.Size), strings.Repeat("[", hostile.Size), `{"a":` + strings.Repeat(`{"a":`, hostile.Size/6),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			head, err := ParseHead(JSON(text), "grpAbc", "usrAda")
			if err != nil {
				return
			}
			again, err := ParseHead(head, "grpAbc", "usrAda")
			if err != nil || again != head {
				t.Errorf("%q is stored as %q, which is then %q, %v", text, head, again, err)
			}
		})
	})
}

// FuzzTexts searches for texts that are expensive to search for, or to parse as a mode, a
// login, tags or a topic.
func FuzzTexts(f *testing.F) {
	const ana, ben = UserID("AAAAAAAAAAE"), UserID("AAAAAAAAAAI")
	for _, unit := range []string{"a", "a,", "a b,", ",", " ", "a:", "a@b.", "@", "+1", "0", "1(", "JRWP", "N", "İ", "\u0300", "\xff", "_", "."} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
	}
	for _, text := range []string{
		"ana@example.com, +1 (202) 555-0123 email:b@c.d", "0012025550123", "jrwpasdo", "ana_b.1", "travel, email:a@b.c", PublicID(ana), string(PairTopic(ana, ben)),
		string(FindTopic(ana)), "grpAAAAAAAAAAE",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			for _, saved := range []bool{false, true} {
				s, err := ParseSearch(text, "1", saved)
				if err != nil {
					continue
				}
				if n := len(s.Tags()); n > MaxLookedAt {
					t.Errorf("%d tags are looked up", n)
				}
				s.Match(map[string]UserID{text: ana})
			}
		})
		hostile.Check(t, text, func() {
			if m, err := ParseMode(text); err == nil {
				if again, err := ParseMode(m.String()); err != nil || again != m {
					t.Errorf("the mode %q is %s, which is %s, %v", text, m, again, err)
				}
			}
			ParseLogin(text)
			NormalTags(strings.Split(text, ","))
			CheckDevice(text, text)
		})
		hostile.Check(t, text, func() {
			if id, ok := ParseUser(text); ok && PublicID(id) != text {
				t.Errorf("%q is parsed like %q", text, PublicID(id))
			}
			if topic, ok := ParseTopic(text, ana); ok {
				if again, ok := ParseTopic(string(topic), ana); !ok || again != topic {
					t.Errorf("%q is the topic %q, which is %q, %v", text, topic, again, ok)
				}
				topic.Peer(ana)
			}
		})
	})
}

// FuzzJSON searches for JSON values that are expensive to check and to store.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"txt":"a","fmt":[{"at":0,"len":1,"tp":"ST"}]}`, `"text"`, `1e125`, `1e126`, `0.00e-999999999`, `{"":1}`, `[1,2.50,-0]`,
		strings.Repeat("[", hostile.Size/2) + strings.Repeat("]", hostile.Size/2), strings.Repeat("9", hostile.Size), "0." + strings.Repeat("0", hostile.Size-10) + "1",
		`{"a":` + strings.Repeat(`{"a":`, 25) + "1" + strings.Repeat("}", 26), "[" + strings.Repeat("1e1,", hostile.Size/4-1) + "1]",
		`{"txt":"` + strings.Repeat(`\u003c`, hostile.Size/6-5) + `"}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return // the transport has refused it
		}
		hostile.Check(t, text, func() {
			j, err := JSONOf(v)
			if err != nil {
				return
			}
			CheckPublic(j)
			j.Text()
			if !json.Valid([]byte(j)) && j != "" {
				t.Errorf("%q is stored as %q", text, j)
			}
		})
	})
}
