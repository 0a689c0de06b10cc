package wire

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// The page of differences lists the operations that are refused, by feature, and each operation
// of the SDK is either served or refused.
func TestRefusedOperationsAreListed(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/dynamodb-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| ([^|`]+) \\| ((?:`[A-Z]\\w+`(?:, )?)+) \\|$").FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile(`\w+`).FindAllString(row[2], -1) {
			listed[name] = row[1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		if listed[name] != refused[name] {
			t.Errorf("%s is refused for want of %s, and listed with %q", name, refused[name], listed[name])
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is listed, and not refused", name)
	}
	served := operations((*dynamodb.Client)(nil))
	for m := range reflect.TypeFor[*dynamodb.Client]().Methods() {
		_, is := served[m.Name]
		if _, not := refused[m.Name]; is == not && m.Name != "Options" && m.Name != "DescribeEndpoints" {
			t.Errorf("%s is served: %t, and refused: %t", m.Name, is, not)
		}
	}
}
