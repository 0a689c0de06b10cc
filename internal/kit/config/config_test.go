package config

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

type colour string

func (c colour) MarshalText() ([]byte, error) { return []byte(c), nil }
func (c *colour) UnmarshalText(text []byte) error {
	if string(text) != "red" && string(text) != "blue" {
		return errors.New("is no colour: write red or blue")
	}
	*c = colour(text)
	return nil
}

type settings struct {
	Listen     string        `setting:"listen" help:"address"`
	MaxDepth   int           `setting:"max-depth" help:"depth"`
	RateLimit  float64       `setting:"rate-limit" help:"rate"`
	Playground bool          `setting:"playground" help:"playground"`
	EventDelay time.Duration `setting:"event-delay" help:"delay"`
	Origins    []string      `setting:"cors-origins" help:"origins"`
	Colour     colour        `setting:"colour" help:"colour"`
	Mailer     string        `setting:"mailer" help:"mailer" secret:"true"`
}

func defaults() settings {
	return settings{Listen: "127.0.0.1:8080", MaxDepth: 15, Colour: "red"}
}

func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for _, p := range pairs {
			if n, v, _ := strings.Cut(p, "="); n == name {
				return v, true
			}
		}
		return "", false
	}
}

func TestPrecedence(t *testing.T) {
	all := Input{
		FileName: "stoa.yaml", File: []byte("# ours\nlisten: file:1\n"),
		LookupEnv: env("STOA_LISTEN=env:1"),
		Flags:     map[string]string{"listen": "flag:1"},
	}
	withoutFlag, fileOnly := all, all
	withoutFlag.Flags = nil
	fileOnly.Flags, fileOnly.LookupEnv = nil, nil
	for _, c := range []struct {
		in     Input
		want   string
		source string
	}{
		{Input{}, "127.0.0.1:8080", "default"},
		{fileOnly, "file:1", "file stoa.yaml:2"},
		{withoutFlag, "env:1", "environment STOA_LISTEN"},
		{all, "flag:1", "flag --listen"},
	} {
		s := defaults()
		set := New("STOA", &s)
		if err := set.Load(c.in); err != nil {
			t.Fatal(err)
		}
		f := set.Field("listen")
		if s.Listen != c.want || f.Source().String() != c.source || f.Text() != c.want {
			t.Errorf("listen is %q from %s, want %q from %s", s.Listen, f.Source(), c.want, c.source)
		}
		if f.Given() != (c.source != "default") {
			t.Errorf("%s: Given() = %v", c.source, f.Given())
		}
	}
}

func TestValues(t *testing.T) {
	s := defaults()
	set := New("STOA", &s)
	err := set.Load(Input{
		FileName: "stoa.yaml",
		File: []byte(`
maxDepth: 7
rateLimit: 2.5
playground: on
eventDelay: 250ms
corsOrigins: [https://a.example, "https://b.example"]
colour: blue
mailer: smtp://u:p@host:587
listen: "[::1]:80"
`)})
	if err != nil {
		t.Fatal(err)
	}
	want := settings{"[::1]:80", 7, 2.5, true, 250 * time.Millisecond, []string{"https://a.example", "https://b.example"}, "blue", "smtp://u:p@host:587"}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
	texts := map[string]string{"max-depth": "7", "rate-limit": "2.5", "playground": "true", "event-delay": "250ms",
		"cors-origins": "https://a.example,https://b.example", "colour": "blue", "mailer": mask}
	for name, want := range texts {
		if got := set.Field(name).Text(); got != want {
			t.Errorf("%s is shown as %q, want %q", name, got, want)
		}
	}
}

func TestAByteOrderMarkIsNoPartOfTheFirstKey(t *testing.T) {
	s := defaults()
	err := New("STOA", &s).Load(Input{FileName: "stoa.yaml", File: []byte("\ufefflisten: file:1\r\nmaxDepth: 7\r\n")})
	if err != nil || s.Listen != "file:1" || s.MaxDepth != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Tabs between values and in comments have no meaning, those in quotes and blocks are kept.
func TestTabs(t *testing.T) {
	for text, want := range map[string]string{
		"listen:\ta\t# b\tc\n#\td\n": "a", "listen: \"a\tb\"": "a\tb", "listen: 'a\tb'": "a\tb", "listen: |- # why\n  a\tb": "a\tb",
	} {
		s := defaults()
		if err := New("STOA", &s).Load(Input{FileName: "stoa.yaml", File: []byte(text)}); err != nil || s.Listen != want {
			t.Errorf("%q: %q, %v", text, s.Listen, err)
		}
	}
}

// Tools put the marks of a document around a single one, and templates leave lists empty.
func TestASingleDocument(t *testing.T) {
	for _, text := range []string{"---\nlisten: file:1\n---\n", "listen: file:1\n...\n", "# ours\n---\n# none\nlisten: file:1\n# end"} {
		s := defaults()
		if err := New("STOA", &s).Load(Input{FileName: "stoa.yaml", File: []byte(text), LookupEnv: env("STOA_CORS_ORIGINS=")}); err != nil || s.Listen != "file:1" {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

func TestNames(t *testing.T) {
	s := defaults()
	f := New("STOA", &s).Field("cors-origins")
	if f.Flag() != "--cors-origins" || f.Env() != "STOA_CORS_ORIGINS" || f.Key() != "corsOrigins" {
		t.Errorf("got %s %s %s", f.Flag(), f.Env(), f.Key())
	}
}

func TestRefusals(t *testing.T) {
	file := func(text string) Input { return Input{FileName: "stoa.yaml", File: []byte(text)} }
	flag := func(name, text string) Input { return Input{Flags: map[string]string{name: text}} }
	for _, c := range []struct {
		name string
		in   Input
		want string
	}{
		{"unknown key", file("listn: x"), "stoa.yaml:1: there is no setting listn: did you mean listen?"},
		{"unknown key far from all", file("# c\n\nzzzzzzzz: x"), "stoa.yaml:3: there is no setting zzzzzzzz: remove the line"},
		{"flag name in the file", file("max-depth: 3"), "stoa.yaml:1: there is no setting max-depth: in the file it is written maxDepth"},
		{"no value", file("listen:\n"), "stoa.yaml:1: listen has no value: write one, or remove the line"},
		{"list where one value belongs", file("listen: [a, b]"), "stoa.yaml:1: listen takes one value, not a list"},
		{"nested", file("listen:\n  host: a"), "stoa.yaml:1: listen takes a plain value: settings do not nest"},
		{"no mapping", file("just words"), "stoa.yaml holds no settings: write one `key: value` on each line"},
		{"bad value of the file", file("maxDepth: deep"), `setting max-depth (file stoa.yaml:1): "deep" is not a whole number from 0 up`},
		{"two documents", file("listen: a\n---\n# more\nlisten: b\n"), "stoa.yaml:4: a second YAML document begins before this line: write all settings in one"},
		{"an empty document before", file("---\n---\nlisten: b\n"), "stoa.yaml:3: a second YAML document begins before this line: write all settings in one"},
		{"after the end", file("listen: a\n...\nlisten: b\n"), "stoa.yaml:3: a second YAML document begins before this line: write all settings in one"},
		{"a tab", file("listen: a\nhost: b\tc\n"), "stoa.yaml:2: the value contains a tab: write spaces, or put the value in quotes"},
		{"a tab in a list", file("listen: |\n  a\tb\ncorsOrigins:\n- c\td\n"), "stoa.yaml:4: the value contains a tab: write spaces, or put the value in quotes"},
		{"a tab in a second line", file("listen: a\n  b\tc\n"), "stoa.yaml:2: the value contains a tab: write spaces, or put the value in quotes"},
		{"no entries", flag("cors-origins", ", ,"), `setting cors-origins (flag --cors-origins): ", ," has commas and no entries: write a,b or nothing`},
		{"negative", flag("max-depth", "-1"), `setting max-depth (flag --max-depth): "-1" is not a whole number from 0 up`},
		{"bad number", flag("rate-limit", "NaN"), `setting rate-limit (flag --rate-limit): "NaN" is not a number from 0 up`},
		{"bad switch", Input{LookupEnv: env("STOA_PLAYGROUND=maybe")}, `setting playground (environment STOA_PLAYGROUND): "maybe" is neither true nor false`},
		{"bad duration", flag("event-delay", "5 parsecs"), `setting event-delay (flag --event-delay): "5 parsecs" is not a duration: write one like 250ms, 30s or 2h`},
		{"negative duration", flag("event-delay", "-1s"), `setting event-delay (flag --event-delay): "-1s" is negative: write 0 or a duration like 250ms`},
		{"own type", flag("colour", "green"), `setting colour (flag --colour): "green" is no colour: write red or blue`},
		{"misspelt variable", Input{Environ: func() []string {
			return []string{"STOA_SERVICE_HOST=10.0.0.1", "STOA_PORT=tcp://10.0.0.1", "STOA_LISTNE=:80"}
		}}, "there is no setting STOA_LISTNE: did you mean STOA_LISTEN?"},
		{"unknown flag", flag("colr", "x"), "flag --colr is not a setting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := defaults()
			err := New("STOA", &s).Load(c.in)
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSyntaxAndDuplicates(t *testing.T) {
	for _, text := range []string{"listen: [a", "listen: a\nlisten: b"} {
		s := defaults()
		err := New("STOA", &s).Load(Input{FileName: "stoa.yaml", File: []byte(text)})
		if err == nil || !strings.HasPrefix(err.Error(), "stoa.yaml is not YAML: [") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// A secret that cannot be parsed must not be shown, either.
func TestSecretsStayMaskedInErrors(t *testing.T) {
	s := struct {
		Key int `setting:"key" help:"key" secret:"true"`
	}{}
	err := New("STOA", &s).Load(Input{Flags: map[string]string{"key": "hunter2"}})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestPasswordsOfURLsStayMasked(t *testing.T) {
	for text, want := range map[string]string{
		"nats://ana:hunter2@bus:4222":         "nats://ana:xxxxx@bus:4222",
		"nats://ana:hun%zz/t@er,2@bus":        "nats://ana:xxxxx@bus",
		"https://host:8080/path":              "https://host:8080/path",
		"https://ana@host:8080/path":          "https://ana@host:8080/path",
		"s3://b?endpoint=http://u:hunter2@h":  "s3://b?endpoint=http://u:xxxxx@h",
		"ana@example.com,ben@example.com:443": "ana@example.com,ben@example.com:443",
	} {
		s := defaults()
		set := New("STOA", &s)
		if err := set.Load(Input{Flags: map[string]string{"listen": text}}); err != nil {
			t.Fatal(err)
		}
		if got := set.Field("listen").Text(); got != want || s.Listen != text {
			t.Errorf("%s is shown as %s, want %s", text, got, want)
		}
		err := set.Load(Input{Flags: map[string]string{"colour": text}})
		if err == nil || !strings.Contains(err.Error(), strconv.Quote(want)) {
			t.Errorf("%s is refused with %v", text, err)
		}
	}
}

func TestFaultsOfTheProgramPanic(t *testing.T) {
	var untagged struct{ Listen string }
	var unsupported struct {
		M map[string]string `setting:"m" help:"m"`
	}
	for _, settings := range []any{untagged, &untagged, &unsupported} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was accepted", settings)
				}
			}()
			New("STOA", settings)
		}()
	}
}
