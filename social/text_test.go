package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chats 0.3#1: which characters belong to a mention.
func TestMentions(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"no mention, a@b is too short", nil},
		{"hi @ian!", []string{"@ian"}},
		{"@ian, @ian? @real", []string{"@ian", "@real"}},
		{"mail me at me@app.example", []string{"@app.example"}},
		{"@ian. ends with a dot", []string{"@ian."}},
		{"@Ian and @ian differ", []string{"@Ian", "@ian"}},
		{"@" + strings.Repeat("x", 31), []string{"@" + strings.Repeat("x", 30)}},
		{"@@ian", []string{"@ian"}},
		{"@ian@real", []string{"@ian", "@real"}},
	} {
		if got := Mentions(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Mentions(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// chats 0.3#3: each name is one tag, however often it is mentioned.
func TestMentionsAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 2 * MaxMentions {
		fmt.Fprintf(&text, "@user%03d @user000 ", i)
	}
	got := Mentions(text.String())
	if len(got) != MaxMentions || got[0] != "@user000" || got[MaxMentions-1] != "@user099" {
		t.Errorf("%d mentions from %s to %s, want the first %d", len(got), got[0], got[len(got)-1], MaxMentions)
	}
}

func TestCheckText(t *testing.T) {
	if err := CheckText(strings.Repeat("x", MaxText)); err != nil {
		t.Errorf("longest text refused: %v", err)
	}
	err := CheckText(strings.Repeat("é", MaxText/2) + "x")
	if want := "text is 262145 bytes long: shorten it to at most 262144"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// chats 0.3#5: tags of users who are gone or block the viewer are left out.
func TestSeenTagsLeaveOutTheGoneAndTheBlocking(t *testing.T) {
	tags := []TextTag{{"@ana", "ana"}, {"@gone", "gone"}, {"@Ben", "ben"}, {"@cem", "cem"}, {"@dee", "dee"}}
	got := seeTags(tags, SeenUsers{
		"gone": nil,
		"ana":  see(&User{UserID: "ana", SignedUpAt: noon}, Relation{self: true}),
		"ben":  see(&User{UserID: "ben"}, Relation{Blocks: true}),
		"cem":  see(&User{UserID: "cem"}, Relation{BlockedBy: true}),
		"dee":  see(&User{UserID: "dee", SignedUpAt: noon.Add(1)}, Relation{}), // a new profile (users D10)
	}, noon)
	if len(got) != 2 || got[0].Tag != "@ana" || got[0].User.UserID() != "ana" || got[1].Tag != "@Ben" || got[1].User.UserID() != "ben" {
		t.Errorf("seen tags %+v, want those of ana and ben", got)
	}
	if got := seeTags(nil, nil, noon); got == nil || len(got) != 0 {
		t.Errorf("tags of a text without any = %#v, want an empty list", got)
	}
}
