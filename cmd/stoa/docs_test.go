package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"stoa/internal/kit/config"
	"stoa/internal/kit/refusal"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// settingsTable returns the table of settings for the README.
func settingsTable() string {
	var b strings.Builder
	b.WriteString("| Setting | Default | Meaning |\n| --- | --- | --- |\n")
	defaults := defaultSettings()
	for _, f := range config.New("STOA", &defaults).Fields() {
		value := "-"
		if text := f.Text(); text != "" {
			value = "`" + text + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, value, f.Help)
	}
	return b.String()
}

func TestTheReadmeListsTheSettings(t *testing.T) {
	if want := settingsTable(); !strings.Contains(read(t, "README.md"), want) {
		t.Errorf("README.md lists other settings than the program has, which are:\n%s", want)
	}
}

func TestTheReadmeListsTheCommands(t *testing.T) {
	readme := read(t, "README.md")
	for _, c := range (&Main{}).root().Commands {
		if !c.Hidden && !strings.Contains(readme, "| `stoa "+c.Name) {
			t.Errorf("README.md does not list stoa %s", c.Name)
		}
	}
}

func TestTheOperationsPageListsTheJobs(t *testing.T) {
	s := defaultSettings()
	s.Systems, s.Store, s.Media, s.PublicURL = []string{everySystem}, Storage{Memory: true}, "memory:", "http://127.0.0.1:1"
	h, closeAll, err := assemble(t.Context(), s, nil, slog.New(slog.DiscardHandler), prometheus.NewRegistry(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll() })
	page := read(t, "docs/operations.md")
	for _, j := range h.Jobs.Jobs {
		if !strings.Contains(page, "| `"+j.Name+"` |") {
			t.Errorf("docs/operations.md does not list %s", j.Name)
		}
	}
}

func TestTheOperationsPageListsTheAlerts(t *testing.T) {
	page := read(t, "docs/operations.md")
	alerts := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(read(t, "deploy/prometheus/alerts.yml"), -1)
	if len(alerts) == 0 {
		t.Error("no alerts found: they are written in another way now")
	}
	for _, alert := range alerts {
		if !strings.Contains(page, "`"+alert[1]+"`") {
			t.Errorf("docs/operations.md does not list %s", alert[1])
		}
	}
}

// A command that a server executes has to be on the pages, because without the server's help it
// would be refused.
func TestThePagesListTheCommandsBesideAServer(t *testing.T) {
	commands := []string{"backup"} // which is an export
	for name := range allCommands(Settings{}, &service{}, nil) {
		name, _, _ = strings.Cut(name, "-")
		commands = append(commands, name)
	}
	for file, sentence := range map[string]*regexp.Regexp{
		"README.md":          regexp.MustCompile(`(?s)\n\n([^|]*?) also\s+work\s+while\s+a\s+server`),
		"docs/operations.md": regexp.MustCompile(`(?s)at\s+a\s+time\.\s+(.*?)\s+therefore\s+reach a running server`),
	} {
		found := sentence.FindStringSubmatch(read(t, file))
		if found == nil {
			t.Errorf("%s does not list the commands that reach a running server", file)
			continue
		}
		for _, name := range commands {
			if !strings.Contains(found[1], "`"+name+"`") && !strings.Contains(found[1], "`stoa "+name+"`") {
				t.Errorf("%s does not list stoa %s among the commands that reach a running server", file, name)
			}
		}
	}
}

// A variable that is no setting would be ignored.
func TestThePagesNameVariablesOfSettings(t *testing.T) {
	known := map[string]bool{
		"STOA_FOO_BAR":     true,                                                // the example of the README
		"STOA_RELEASE_KEY": true, "STOA_IMPORT_ROWS": true, "STOA_PLACES": true, // of the release and of benchmarks
	}
	defaults := defaultSettings()
	for _, f := range config.New("STOA", &defaults).Fields() {
		known["STOA_"+strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))] = true
	}
	variable := regexp.MustCompile(`\bSTOA_[A-Z][A-Z_]*[A-Z]`)
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/guide/*.md", "deploy/*.md", "deploy/*/*.service", "deploy/*/*.yaml"} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			for _, name := range variable.FindAllString(read(t, strings.TrimPrefix(file, "../../")), -1) {
				if !known[name] {
					t.Errorf("%s names %s, which is not the variable of a setting", file, name)
				}
			}
		}
	}
}

func TestTheErrorsPageListsTheKinds(t *testing.T) {
	page := read(t, "docs/errors.md")
	internal := refusal.Kind(0).String()
	for kind := refusal.Kind(1); kind.String() != internal; kind++ {
		if !strings.Contains(page, "| `"+kind.String()+"` |") {
			t.Errorf("docs/errors.md does not list %s", kind)
		}
	}
}

// Constants in capitals with underscores, in the two packages that answer clients, are
// error codes.
func TestTheErrorsPageListsTheCodes(t *testing.T) {
	page := read(t, "docs/errors.md")
	code := regexp.MustCompile(`"([A-Z]+(?:_[A-Z]+)+)"`)
	found := 0
	for _, pattern := range []string{"server/*.go", "server/*/*.go", "identity/*.go"} {
		files, err := filepath.Glob("../../internal/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, match := range code.FindAllStringSubmatch(read(t, strings.TrimPrefix(file, "../../")), -1) {
				found++
				if !strings.Contains(page, "`"+match[1]+"` |") {
					t.Errorf("docs/errors.md does not list %s of %s", match[1], file)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no codes found: they are written in another way now")
	}
}
