package messaging

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// messaging 5.1#1: which logins are valid.
func TestLogins(t *testing.T) {
	for text, want := range map[string]string{
		"Kestrel": "kestrel", "a.b_c9": "a.b_c9", "abcd": "abcd", strings.Repeat("x", 32): strings.Repeat("x", 32),
		"abc": "", strings.Repeat("x", 33): "", ".abc": "", "abc_": "", "ab:cd": "", "ab cd": "", "käfer": "", "": "", "abcd\n": "",
	} {
		got, err := ParseLogin(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q becomes %q, %v, want %q", text, got, err, want)
		}
	}
}

// messaging 5.1#2: which passwords are valid, in characters and bytes.
func TestPasswords(t *testing.T) {
	for password, err := range map[string]string{
		"short": "INVALID_PASSWORD", "öäüéèà": "", "123456": "", strings.Repeat("x", 72): "", strings.Repeat("x", 73): "INVALID_PASSWORD",
		strings.Repeat("ä", 37): "INVALID_PASSWORD",
	} {
		refused(t, password, CheckPassword(password), err)
	}
}

// messaging 5.3#2: which tags are valid, in any case.
func TestTags(t *testing.T) {
	for text, want := range map[string]string{ // "-" is refused
		" Flowers ": "flowers", "email:A@X.org": "email:a@x.org", "tel:+12025550123": "tel:+12025550123", "ÄRZTE": "ärzte", "c++": "c++", "9lives": "9lives",
		"x": "", "": "", strings.Repeat("x", 97): "", strings.Repeat("x", 96): strings.Repeat("x", 96),
		"two words": "-", "_first": "-", "+1": "-", "a,b": "-", "x:": "-", ":x1": "-", "a:b": "a:b", "1a:b": "-", "abcdefghijklmno:b": "abcdefghijklmno:b", "abcdefghijklmnop:b": "-",
		"a:b:c": "-",
	} {
		got, err := NormalTag(text)
		if want == "-" {
			refused(t, text, err, "INVALID_TAG")
		} else if got != want || err != nil {
			t.Errorf("%q becomes %q, %v, want %q", text, got, err, want)
		}
	}
}

// messaging 5.1#3 and 5.3#2: tags are sorted, without duplicates, and the first sixteen.
func TestSetsOfTags(t *testing.T) {
	got, err := NormalTags([]string{"Zoo", " zoo", "ants", "x"})
	if !slices.Equal(got, []string{"ants", "zoo"}) || err != nil {
		t.Errorf("tags %q, %v", got, err)
	}
	_, err = NormalTags([]string{"ants", "Basic:ants"})
	refused(t, "a login", err, "RESTRICTED_TAG")
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf("tag%02d", i))
	}
	if got, err := NormalTags(many); !slices.Equal(got, many[:MaxTags]) || err != nil {
		t.Errorf("of twenty tags %q are left, %v", got, err)
	}
	all := WithLogin([]string{"ants", "zoo"}, "kestrel")
	if !slices.Equal(all, []string{"ants", "basic:kestrel", "zoo"}) || !slices.Equal(FreeTags(all), []string{"ants", "zoo"}) {
		t.Errorf("with the login: %q", all)
	}
}

// messaging 2.4 and 8#ids-in-topic-names: a two-person topic is named by both user ids, the
// lower first.
func TestNamesOfTopics(t *testing.T) {
	third := UserID(Short("third"))
	for _, c := range []struct {
		text string
		by   UserID
		want TopicID
		kind TopicKind
	}{
		{PublicID(ben), ana, pair, P2P},
		{PublicID(ana), ben, pair, P2P},
		{string(pair), ana, pair, P2P},
		{string(pair), third, pair, P2P},
		{PublicID(ana), ana, OwnTopic(ana), Me},
		{string(FindTopic(ana)), ana, FindTopic(ana), Find},
		{string(FindTopic(ben)), ana, "", ""},
		{string(group), ana, group, Group},
		{"grpshort", ana, "", ""},
		{"grp" + strings.Repeat("=", 11), ana, "", ""},
		{"usr", ana, "", ""},
		{"", ana, "", ""},
		{"chn" + string(group[3:]), ana, "", ""},
		{PublicID(ben), "us-east-1:0", "", ""},
		{string(pair[:len(pair)-1]), ana, "", ""},
		{string(pair) + "AA", ana, "", ""},
	} {
		got, ok := ParseTopic(c.text, c.by)
		if ok != (c.want != "") || ok && (got != c.want || got.Kind() != c.kind) {
			t.Errorf("%s by %s is %s, %t, want %s", c.text, c.by, got, ok, c.want)
		}
	}
	a, b, ok := pair.Pair()
	if !ok || PairTopic(b, a) != pair || PairTopic(a, b) != pair || len(pair) != 25 || pair.Peer(ana) != ben || pair.Peer(ben) != ana || pair.Peer(third) != "" {
		t.Errorf("%s is of %s and %s", pair, a, b)
	}
	// The same two users with the higher number first are not a valid topic name.
	if reversed, ok := ParseTopic("p2p"+string(PairTopic(ana, ben))[3+11:]+string(pair)[3:3+11], ana); ok {
		t.Errorf("%s is the name of a topic", reversed)
	}
}
