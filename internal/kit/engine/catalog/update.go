package catalog

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// WithSettings returns the table with the settings in asks for. Index changes
// are not looked at.
func (t *Table) WithSettings(in *dynamodb.UpdateTableInput) (*Table, error) {
	changed := *t
	if in.DeletionProtectionEnabled != nil {
		changed.DeletionProtection = *in.DeletionProtectionEnabled
	}
	if in.TableClass != "" {
		changed.Class = in.TableClass
	}
	if in.BillingMode == "" && in.ProvisionedThroughput == nil {
		return &changed, nil
	}
	if in.BillingMode != "" {
		changed.Billing = in.BillingMode
	}
	if changed.Billing == types.BillingModeProvisioned && in.ProvisionedThroughput == nil {
		return nil, value.Invalid(invalid + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	var err error
	changed.Throughput, err = throughput(changed.Billing, in.ProvisionedThroughput, "")
	return &changed, err
}

// WithThroughput returns the table with the capacity of one index changed.
func (t *Table) WithThroughput(u types.UpdateGlobalSecondaryIndexAction) (*Table, error) {
	x, ok := t.Index(aws.ToString(u.IndexName))
	if !ok {
		return nil, value.Invalid(invalid+"The table does not have the specified index: %s", aws.ToString(u.IndexName))
	}
	var err error
	if x.Throughput, err = throughput(t.Billing, u.ProvisionedThroughput, x.Name); err != nil {
		return nil, err
	}
	return t.WithIndex(x), nil
}
