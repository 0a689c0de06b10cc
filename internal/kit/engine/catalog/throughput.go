package catalog

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// maxThroughput is the maximum number of provisioned units.
const maxThroughput = 1_000_000_000_000

// throughput validates provisioned capacity: an on-demand table has none, any other must
// have some. index is empty for the table's own.
func throughput(billing types.BillingMode, p *types.ProvisionedThroughput, index string) (Throughput, error) {
	if billing == types.BillingModePayPerRequest {
		switch {
		case p == nil:
			return Throughput{}, nil
		case index != "":
			return Throughput{}, value.Invalid(invalid+"ProvisionedThroughput should not be specified for index: %s when "+
				"BillingMode is PAY_PER_REQUEST", index)
		}
		return Throughput{}, value.Invalid(invalid + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when " +
			"BillingMode is PAY_PER_REQUEST")
	}
	if p == nil || p.ReadCapacityUnits == nil || p.WriteCapacityUnits == nil {
		if index != "" {
			return Throughput{}, value.Invalid(invalid+"ProvisionedThroughput is not specified for index: %s", index)
		}
		return Throughput{}, value.Invalid(invalid + "ReadCapacityUnits and WriteCapacityUnits must both be specified when " +
			"BillingMode is PROVISIONED")
	}
	for _, units := range []struct {
		name string
		n    int64
	}{{"ReadCapacityUnits", aws.ToInt64(p.ReadCapacityUnits)}, {"WriteCapacityUnits", aws.ToInt64(p.WriteCapacityUnits)}} {
		if units.n > maxThroughput {
			return Throughput{}, value.Invalid("Given value %d for %s is out of bounds", units.n, units.name)
		}
	}
	return Throughput{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}, nil
}
