package catalog

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/value"
)

// WithSettings returns the table with the settings changed by in. It ignores index changes.
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
	if changed.Throughput, err = throughput(changed.Billing, in.ProvisionedThroughput, ""); err != nil {
		return nil, err
	}
	now, then := t.Throughput, changed.Throughput
	if in.ProvisionedThroughput != nil && t.Billing == changed.Billing && now == then &&
		in.DeletionProtectionEnabled == nil && in.TableClass == "" && len(in.GlobalSecondaryIndexUpdates) == 0 {
		return nil, value.Invalid("The provisioned throughput for the table will not change. The requested value equals the current value. "+
			"Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. "+
			"Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. "+
			"Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
			now.Read, then.Read, now.Write, then.Write)
	}
	return &changed, nil
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
