package communities

import (
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzTexts searches for texts that are expensive to check, to fold or to parse as an id, and
// for ids that are written differently from how they were parsed.
func FuzzTexts(f *testing.F) {
	for _, unit := range []string{"a", " ", "#", "@", "a@b.", "(", `"`, "İ", "ﬁ", "\uFDFA", "\u0300", "a\u0300", "\u1100", "\xff", "https://", "%41", "[::", "A"} {
		f.Add(strings.Repeat(unit, hostile.Size/len(unit)))
	}
	const id = "0b8a7c1e-52a4-4a0b-9c64-8e4e0e2d6d0f"
	m, _ := MomentOf("2026-01-02T03:04:05.678Z#" + id)
	for _, text := range []string{
		m.Opaque(), RequestRef{id, id, m}.Opaque(), seal("2026-01-02T03:04:05.678Z#"), seal("#"), seal(id + "#" + id + "#"), m.Opaque() + "\n",
		"ana@example.com", "https://a.example/b?c#d", "Springfield", "\xf2Ϲ",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		hostile.Check(t, text, func() {
			CheckUsername(text)
			CheckName(text)
			CheckEmail(text)
			CheckBio(&text)
			CheckURL(&text)
			Location{text, text, text}.Check()
			CheckCommunityName(text)
			CheckDescription(text)
			CheckContent(text)
			CheckClientID(&text)
		})
		hostile.Check(t, text, func() {
			once := Sought(text)
			if len(once) > maxSought {
				t.Errorf("%d bytes are looked for", len(once))
			}
			if twice := Fold(once); len(once) < maxSought && len(text) < maxSought && twice != once {
				t.Errorf("%q is folded to %q, and that to %q", text, once, twice)
			}
		})
		hostile.Check(t, text, func() {
			plain := strings.NewReplacer("\r", "", "\n", "").Replace(text) // base64 ignores them
			if m, ok := ParseMoment(text); ok && m.Opaque() != plain {
				t.Errorf("%q is parsed like %q", text, m.Opaque())
			}
			if r, ok := ParseRequestRef(text); ok && r.Opaque() != plain {
				t.Errorf("%q is parsed like %q", text, r.Opaque())
			}
		})
	})
}
