package store

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"stoa/internal/kit/keyspec"
)

// declared maps each row of the design to the declaration of its keys.
var declared = map[string][2]string{
	"user":           {"{UserId}", "USER"},
	"membership":     {"{UserID}", "Group#{GroupID}"},
	"group":          {"{GroupRef}", "Group"},
	"container link": {"{GroupRef}", "Container#{ContainerID}"},
	"join link":      {"{GroupID}", "ShareLink#{CreatedDatetime}"},
	"container":      {"{ContainerId}", "Container"},
	"category list":  {"Category", "Category"},
}

// ours lists deviations that are not in the design, with the reason.
var ours = map[string]string{
	"EMail#{Address} | EMail":    "an address is unique, which an index could not promise",
	"JoinLink#{Code} | JoinLink": "a code is read consistently and used in transactions, which an index could not be",

	"ExpiredJoinLink": "expired links of all groups are listed, which an index by group could not answer",

	"user GroupCount":              "a user is in 50 groups at most",
	"user CreatedAt":               "shown",
	"user UpdatedAt":               "when the name was last changed",
	"user Version":                 "two changes at once",
	"membership UserID":            "feeds the index",
	"membership JoinedAt":          "when it began",
	"group GroupRef":               "the id, not named GroupID so that the item stays out of the indexes",
	"group ContainerCount":         "a group has 50 containers at most",
	"group CurrentJoinLink":        "a group has one live link at most",
	"group CreatedAt":              "shown",
	"group UpdatedAt":              "shown",
	"group Version":                "expected versions",
	"container link ContainerName": "a copy, so that lists need not read containers",
	"container link CreatedAt":     "when it was made",
	"join link LinkCode":           "a secret that can be given to a guest",
	"join link LinkKind":           "the constant partition of ExpiredJoinLink",
	"join link CreatedBy":          "shown",
	"join link ExpiresAt":          "time to live, the last resort",
	"container OwnerGroup":         "every change of a food checks membership",
	"container FoodCount":          "a container has 500 foods at most",
	"container Version":            "expected versions",
	"container CreatedAt":          "shown",
	"container UpdatedAt":          "shown",
	"category list Version":        "two changes at once",
}

// changed lists attributes whose type differs from the design, with the reason.
var changed = map[string]string{
	"group BelongingUsers": "a string set: members are added and removed by value, and the last one is a condition",
}

// TestTableIsAsDesigned compares the declarations with the design. An unlisted deviation
// fails, and so does a listed one that does not exist (pantry 2.1#1-10, 2.2#1-3 and
// 2.3#1-2).
func TestTableIsAsDesigned(t *testing.T) {
	unused := map[string]bool{}
	for name := range ours {
		unused[name] = true
	}
	for name := range changed {
		unused[name] = true
	}
	need := func(name string, reasons map[string]string) {
		t.Helper()
		if reasons[name] == "" {
			t.Errorf("%s deviates from the design: mend it, or list it with the reason", name)
		}
		delete(unused, name)
	}
	lines := Pantry.Lines()
	indexes := slices.Clone(Pantry.Indexes)
	for _, line := range design(t) {
		kind, name := line[0], line[1]
		switch kind {
		case "row":
			keys := declared[name]
			at := slices.IndexFunc(lines, func(l []string) bool { return l[0] == keys[0] && l[1] == keys[1] })
			if at < 0 {
				t.Errorf("row %s is not declared", name)
				continue
			}
			if head, _, _ := strings.Cut(line[3], "{"); !strings.HasPrefix(keys[1], head) {
				t.Errorf("row %s has the sort key %s, designed %s", name, keys[1], line[3])
			}
			got := attributesOf(lines[at])
			for _, attribute := range strings.Split(line[4], ", ") {
				attribute, kind, _ := strings.Cut(attribute, ":")
				switch is, ok := got[attribute]; {
				case !ok:
					t.Errorf("row %s lacks %s", name, attribute)
				case is != kind:
					need(name+" "+attribute, changed)
				}
				delete(got, attribute)
			}
			for attribute := range got {
				need(name+" "+attribute, ours)
			}
			lines = slices.Delete(lines, at, at+1)
		case "index":
			at := slices.IndexFunc(indexes, func(ix *keyspec.Index) bool { return ix.Name == name })
			if at < 0 || indexes[at].PK != line[2] || indexes[at].SK != line[3] {
				t.Errorf("index %s is not declared as designed", name)
				continue
			}
			indexes = slices.Delete(indexes, at, at+1)
		}
	}
	for _, line := range lines {
		need(line[0]+" | "+line[1], ours)
	}
	for _, ix := range indexes {
		need(ix.Name, ours)
	}
	for name := range unused {
		t.Errorf("%s is listed as a deviation, but is none", name)
	}
}

// attributesOf returns the attributes of a declared row with their DynamoDB types,
// including index keys that are attributes.
func attributesOf(line []string) map[string]string {
	all := map[string]string{}
	for _, attribute := range strings.Split(line[3], ", ") {
		name, kind, _ := strings.Cut(attribute, ":")
		switch kind {
		case "":
			kind = "S"
		case "Number":
			kind = "N"
		case "Set":
			kind = "SS"
		default:
			kind = kind[:1]
		}
		if strings.HasSuffix(name, "Count") {
			kind = "N"
		}
		all[name] = kind
	}
	for _, cell := range slices.Concat(line[0:1], line[4:]) {
		if name, ok := strings.CutPrefix(cell, "{"); ok && !strings.Contains(cell, "Code}") {
			name = strings.TrimSuffix(name, "}")
			if _, listed := all[name]; !listed && name != "ContainerId" && !(name == "GroupRef" && strings.HasPrefix(line[1], "Container#")) {
				all[name] = "S"
			}
		}
	}
	return all
}

func design(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open("testdata/design.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', 5
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines[1:]
}
