package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"stoa"
	"stoa/internal/kit/config"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// settingsTable is the table of the README.
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
		if !strings.Contains(readme, "| `stoa "+c.Name) {
			t.Errorf("README.md does not list stoa %s", c.Name)
		}
	}
}

func TestTheErrorsPageListsTheKinds(t *testing.T) {
	page := read(t, "docs/errors.md")
	internal := stoa.Kind(0).String()
	for kind := stoa.Kind(1); kind.String() != internal; kind++ {
		if !strings.Contains(page, "| `"+kind.String()+"` |") {
			t.Errorf("docs/errors.md does not list %s", kind)
		}
	}
}
