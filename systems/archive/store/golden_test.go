package store

import (
	"testing"

	"stoa/internal/kit/designtest"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

// ours lists attributes that the design does not have, with the reason.
var ours = map[string]string{
	"{ID} post requested_status":          "a post that failed keeps what was asked for last",
	"{ID} post records_loader":            "a load that was taken over stops",
	"{ID} post images_loader":             "as for records",
	"{ID} post images_loaded:SS":          "only new archives are unpacked",
	"{ID} user import_day":                "a user imports a limited number of rows a day",
	"{ID} user import_rows:N":             "as for import_day",
	"{ID} record_post#{PostID} household": "a record is in one household at most, which is found without reading all of the post",
}

// archive 2.1, 2.2, 2.2#1-3 and 6#5: the rows and their keys are those of the design, and
// additions have a reason.
func TestTableIsAsDesigned(t *testing.T) {
	designtest.AsDesigned(t, "testdata/design.tsv", []*keyspec.Table{Archive}, ours)
}

func TestRowsConform(t *testing.T) { designtest.RowsConform(t, Archive, ops.Table) }
