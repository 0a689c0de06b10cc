package keyspec

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestSameKey(t *testing.T) {
	number, text := &types.AttributeValueMemberN{}, &types.AttributeValueMemberS{}
	for _, c := range []struct {
		stored   types.AttributeValue
		is, want string
		same     bool
	}{
		{number, "15306382983.269704945", "15306382983.269705", true},
		{number, "15306382983.3", "15306382983.269705", false},
		{number, "3", "", false},
		{text, "1.0", "1", false},
		{text, "a", "a", true},
		{nil, "", "", true},
	} {
		if same := sameKey(c.stored, c.is, c.want); same != c.same {
			t.Errorf("%q is the same as %q: %t", c.is, c.want, same)
		}
	}
}
