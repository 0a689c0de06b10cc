package graph

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// The contract as data: what clients use (contract.tsv), the part yet to be built
// (unbuilt.txt, which must only shrink), and additions to it (ours, with reasons, in a file
// for each area).
const (
	contractFile = "testdata/contract.tsv"
	unbuiltFile  = "testdata/unbuilt.txt"
	oursFiles    = "testdata/ours/*.txt"
)

// shape is the part of a member that clients rely on: its arguments and its type.
type shape struct{ arguments, result string }

// TestTheUnbuiltPartOfTheContractIsFresh fails if a member of the contract is missing or
// has another shape without being listed as unbuilt, and if a listed one is built. With
// -update it removes those from the list.
func TestTheUnbuiltPartOfTheContractIsFresh(t *testing.T) {
	got := members(NewExecutableSchema(Config{}).Schema())
	missing := map[string]string{}
	for name, want := range contracted(t) {
		switch has, ok := got[name]; {
		case !ok:
			missing[name] = "is missing"
		case has != want:
			missing[name] = fmt.Sprintf("has the shape (%s): %s, want (%s): %s", has.arguments, has.result, want.arguments, want.result)
		}
	}
	listed := lines(t, unbuiltFile)
	if *update {
		listed = slices.DeleteFunc(listed, func(name string) bool { return missing[name] == "" })
		slices.Sort(listed)
		listed = slices.Compact(listed)
		if err := os.WriteFile(unbuiltFile, []byte(strings.Join(append(listed, ""), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range listed {
		if missing[name] == "" {
			t.Errorf("%s is built by now, or no part of the contract: run make generate, which takes it off %s", name, unbuiltFile)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		if !slices.Contains(listed, name) {
			t.Errorf("%s %s", name, missing[name])
		}
	}
	t.Logf("still to build: %d of %d members", len(missing), len(contracted(t)))
}

// Every addition to the contract has a reason.
func TestWhatIsBeyondTheContractHasAReason(t *testing.T) {
	contract, got := contracted(t), members(NewExecutableSchema(Config{}).Schema())
	reasons := map[string]string{}
	files, err := filepath.Glob(oursFiles)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		for _, line := range lines(t, file) {
			name, reason, _ := strings.Cut(line, "\t")
			if reasons[name] = strings.TrimSpace(reason); reasons[name] == "" {
				t.Errorf("%s: %s has no reason", file, name)
			}
			if _, ok := got[name]; !ok {
				t.Errorf("%s: there is no %s", file, name)
			}
			if _, ok := contract[name]; ok {
				t.Errorf("%s: %s is a part of the contract", file, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := contract[name]; !ok && reasons[name] == "" {
			t.Errorf("%s is not in the contract: list it in one of %s with the reason for it", name, oursFiles)
		}
	}
}

// contracted returns the members of the contract.
func contracted(t *testing.T) map[string]shape {
	t.Helper()
	rows := lines(t, contractFile)[1:]
	members := make(map[string]shape, len(rows))
	for _, row := range rows {
		columns := strings.Split(row, "\t")
		if len(columns) != 5 {
			t.Fatalf("%s: %q has not five columns", contractFile, row)
		}
		members[strings.Join(columns[:3], " ")] = shape{columns[3], columns[4]}
	}
	return members
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
}

// members returns a schema's members by kind, type and name: values of enums, fields of
// types and inputs, and directives. A type used only by these is one member.
func members(schema *ast.Schema) map[string]shape {
	found := map[string]shape{}
	for _, d := range schema.Types {
		kind := map[ast.DefinitionKind]string{ast.Object: "type", ast.InputObject: "input", ast.Enum: "enum", ast.Interface: "interface"}[d.Kind]
		if slices.Contains(internalTypes, d.Name) {
			found[kind+" "+d.Name] = shape{}
			continue
		}
		if builtIn(d) || kind == "" {
			continue
		}
		for _, v := range d.EnumValues {
			found["enum "+d.Name+" "+v.Name] = shape{}
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			var arguments []string
			for _, a := range f.Arguments {
				text := a.Name + ": " + a.Type.String()
				if a.DefaultValue != nil {
					text += " = " + a.DefaultValue.String()
				}
				arguments = append(arguments, text)
			}
			slices.Sort(arguments)
			found[kind+" "+d.Name+" "+f.Name] = shape{strings.Join(arguments, ", "), f.Type.String()}
		}
	}
	for name, d := range schema.Directives {
		if !d.Position.Src.BuiltIn {
			found["directive @"+name] = shape{}
		}
	}
	return found
}
