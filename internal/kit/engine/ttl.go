package engine

import (
	"context"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/itemcodec"
)

// UpdateTimeToLive sets the attribute with the second since 1970 at which an item expires,
// or disables expiry. Expired items can be read until they are removed; see WithExpiry and
// Expire.
func (e *Engine) UpdateTimeToLive(
	ctx context.Context,
	in *dynamodb.UpdateTimeToLiveInput,
	_ ...func(*dynamodb.Options),
) (*dynamodb.UpdateTimeToLiveOutput, error) {
	if err := e.writable(ctx); err != nil {
		return nil, err
	}
	spec := in.TimeToLiveSpecification
	if err := e.lockShape(ctx); err != nil {
		return nil, err
	}
	defer e.shape.Unlock()
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	changed := *t.Table
	switch {
	case *spec.Enabled && t.ExpiryAttribute != "":
		return nil, public(invalid("TimeToLive is already enabled"))
	case *spec.Enabled:
		changed.ExpiryAttribute = *spec.AttributeName
	case t.ExpiryAttribute == "":
		return nil, public(invalid("TimeToLive is already disabled"))
	case t.ExpiryAttribute != *spec.AttributeName:
		return nil, public(invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.ExpiryAttribute))
	default:
		changed.ExpiryAttribute = ""
	}
	batch := e.db.NewBatch()
	defer batch.Close()
	if err := e.replace(batch, newTable(&changed, t.names, &e.counts)); err != nil {
		return nil, err
	}
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: &types.TimeToLiveSpecification{
		AttributeName: aws.String(*spec.AttributeName), Enabled: aws.Bool(*spec.Enabled),
	}}, nil
}

// DescribeTimeToLive returns whether items of a table expire, and by which attribute.
func (e *Engine) DescribeTimeToLive(
	ctx context.Context,
	in *dynamodb.DescribeTimeToLiveInput,
	_ ...func(*dynamodb.Options),
) (*dynamodb.DescribeTimeToLiveOutput, error) {
	if err := e.usable(ctx); err != nil {
		return nil, err
	}
	t, err := e.namedTable(in.TableName)
	if err != nil {
		return nil, public(err)
	}
	d := &types.TimeToLiveDescription{TimeToLiveStatus: types.TimeToLiveStatusDisabled}
	if t.ExpiryAttribute != "" {
		d.TimeToLiveStatus, d.AttributeName = types.TimeToLiveStatusEnabled, aws.String(t.ExpiryAttribute)
	}
	return &dynamodb.DescribeTimeToLiveOutput{TimeToLiveDescription: d}, nil
}

// WithExpiry sets the interval at which expired items are removed in the background, by
// default an hour; 0 means never.
func WithExpiry(interval time.Duration) Option {
	return func(o *options) { o.expireEvery = interval }
}

// sweep removes expired items at every interval until the engine is closed.
func (e *Engine) sweep(interval time.Duration) {
	if interval == 0 {
		return
	}
	e.sweeper.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-e.closed.Done():
				return
			case <-tick.C:
			}
			removed, err := e.Expire(e.closed)
			switch {
			case e.closed.Err() != nil:
				return
			case err != nil:
				e.log.Error("removing expired items failed; retrying later", "error", err)
			case removed > 0:
				e.log.Info("expired items removed", "items", removed)
			}
		}
	})
}

// tooOld is the maximum age of an expiry time. Older ones are considered mistakes, such as
// an attribute with another meaning, and ignored.
const tooOld = 5 * 365 * 24 * time.Hour

// sweepStep is the number of items that a sweep reads at once.
const sweepStep = 1000

// Expire removes the expired items of all tables, without waiting for the next sweep, and
// returns their number. It reads every item of tables with time to live and stops when ctx
// is done.
func (e *Engine) Expire(ctx context.Context) (removed int, err error) {
	for _, t := range *e.tables.Load() {
		if t.ExpiryAttribute == "" {
			continue
		}
		n, err := e.expireTable(ctx, t)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

func (e *Engine) expireTable(ctx context.Context, t *table) (removed int, err error) {
	now := e.now()
	s := t.whole()
	for {
		if err := e.writable(ctx); err != nil {
			return removed, err
		}
		var due []Item
		var last []byte
		more, err := e.walk(&t.relation, t.names, s, sweepStep, false, func(v itemcodec.View, isLast bool) error {
			if isLast {
				last, _ = appendKey(nil, &t.relation, t.relation.lastKey(v))
			}
			if isExpired(v, t.ExpiryAttribute, now) {
				due = append(due, t.relation.lastKey(v))
			}
			return nil
		})
		if err != nil {
			return removed, err
		}
		for _, key := range due {
			gone, err := e.expireItem(ctx, t, key, now)
			if err != nil {
				return removed, err
			}
			removed += gone
		}
		if !more {
			return removed, nil
		}
		s.startAfter(last)
	}
}

// isExpired reports whether v has expired.
func isExpired(v itemcodec.View, attribute string, now time.Time) bool {
	at, ok := v.Get(attribute)
	if !ok || at.Kind() != itemcodec.Number {
		return false
	}
	seconds, err := strconv.ParseFloat(string(at.Bytes()), 64)
	return err == nil && seconds <= float64(now.Unix()) && seconds > float64(now.Add(-tooOld).Unix())
}

// expireItem deletes an item unless its expiry time has changed since it was read.
func (e *Engine) expireItem(ctx context.Context, t *table, key Item, now time.Time) (int, error) {
	in := &dynamodb.DeleteItemInput{
		TableName: aws.String(t.Name), Key: key,
		ConditionExpression:      aws.String("#at <= :now"),
		ExpressionAttributeNames: map[string]string{"#at": t.ExpiryAttribute},
		ExpressionAttributeValues: Item{
			":now": &types.AttributeValueMemberN{Value: strconv.FormatInt(now.Unix(), 10)},
		},
	}
	_, err := e.DeleteItem(ctx, in)
	if isConditionFailure(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return 1, nil
}
