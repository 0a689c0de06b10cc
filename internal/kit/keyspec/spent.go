package keyspec

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/trace"
)

// spend counts items that were read in the SDK's form, and fails if they exceed the read
// limit of the current request.
func spend(ctx context.Context, items ...map[string]types.AttributeValue) error {
	calls := trace.CallsOf(ctx)
	if calls == nil {
		return nil
	}
	size := 0
	for _, it := range items {
		size += textsOf(it)
	}
	return calls.Read(size)
}

// Shared returns a context for reading what is cached for all requests, to which the limit
// of a single one does not apply.
func Shared(ctx context.Context) context.Context { return trace.Shared(ctx) }

// textsOf returns the total length of the texts of an item, counted as in rawReader.
func textsOf(m map[string]types.AttributeValue) (n int) {
	for _, v := range m {
		n += textOf(v)
	}
	return n
}

func textOf(v types.AttributeValue) (n int) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberM:
		return textsOf(v.Value)
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			n += textOf(e)
		}
	case *types.AttributeValueMemberSS:
		for _, e := range v.Value {
			n += len(e)
		}
	case *types.AttributeValueMemberNS:
		for _, e := range v.Value {
			n += len(e)
		}
	case *types.AttributeValueMemberBS:
		for _, e := range v.Value {
			n += len(e)
		}
	}
	return n
}
