package keyspec_test

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	var b strings.Builder
	if err := library.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `## library

Primary key: ‹pk›, ‹sk›.

- GSI-A1: ‹a1PK›, ‹a1SK›, with all attributes
- GSI-A4: ‹a4PK›, ‹a4SK:Number›, with all attributes
- GSI-K1: ‹k1PK›, ‹k1SK›, with keys only

| pk | sk | schemaVersion | attributes | GSI-A1 a1PK | GSI-A1 a1SK | GSI-A4 a4PK | GSI-A4 a4SK:Number | GSI-K1 k1PK | GSI-K1 k1SK |
| - | - | - | - | - | - | - | - | - | - |
| ‹book/{bookId}› | ‹-› | ‹2› | ‹bookId›, ‹title›, ‹tags:List›, ‹pages:Number›, ‹loanCount›, ‹rare:Boolean›, ‹writers:List›, ‹notes:Map›, ‹kind›, ` +
		`‹soldAt› | ‹title/{title}› | ‹-› | ‹ranking› | ‹{score}› | ‹sold/{soldDate}› | ‹{soldTime}› |
| ‹book/{bookId}› | ‹loan/{readerId}› | ‹0› | ‹readerId›, ‹status›, ‹lentAt›, ‹text› | ‹reader/{readerId}› | ‹{status}/{lentAt}› | - | - | ‹due› | ‹{dueAt} ` +
		`or ~› |
| ‹slip/{slipId}› | ‹-› | ‹1› | ‹text› | - | - | - | - | - | - |

- ‹book/{bookId}› / ‹-›: in GSI-K1 unless ‹kind› is ‹GIFT›.
- ‹book/{bookId}› / ‹-›: ‹{soldDate}› is a part of ‹soldAt›.
- ‹book/{bookId}› / ‹-›: ‹{soldTime}› is a part of ‹soldAt›.
`
	want = strings.NewReplacer("‹", "`", "›", "`").Replace(want)
	if got := b.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}
