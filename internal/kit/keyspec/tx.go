package keyspec

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine/raw"
)

// maxActions is the maximum number of items in one transaction.
const maxActions = 100

// maxAttempts is the maximum number of times that a write is repeated after a conflict with
// a transaction, or a transaction without counter shifts that could not be applied.
const maxAttempts = 10

// Tx collects the writes of one decision and executes all of them or none. Conditions on
// the same item are combined, and updates of the same item become one, so that each part of
// a decision can add what it needs. A Tx runs once and must not be used concurrently.
type Tx struct {
	db      *DB
	actions []*action
	// free holds preallocated actions.
	free []action
	err  error
	ran  bool
	// alone is set if a single write needs no transaction.
	alone bool
	// committed are called once the transaction has committed.
	committed []func()
	// fields holds the items to put, in pooled memory.
	fields   []raw.Field
	borrowed *[]raw.Field
}

// maxPooledFields is the size above which the memory of rare large transactions is not
// pooled.
const maxPooledFields = 512

var fieldBuffers = sync.Pool{New: func() any { return new([]raw.Field) }}

// growFields returns fields with capacity for n more.
func (tx *Tx) growFields(n int) []raw.Field {
	if tx.borrowed == nil {
		tx.borrowed = fieldBuffers.Get().(*[]raw.Field)
		tx.fields = *tx.borrowed
	}
	return slices.Grow(tx.fields, n)
}

// giveBack returns the memory of fields to the pool.
func (tx *Tx) giveBack() {
	if tx.borrowed == nil {
		return
	}
	if cap(tx.fields) <= maxPooledFields {
		clear(tx.fields)
		*tx.borrowed = tx.fields[:0]
		fieldBuffers.Put(tx.borrowed)
	}
	tx.borrowed, tx.fields = nil, nil
}

// NewTx returns an empty transaction.
func (db *DB) NewTx() *Tx { return &Tx{db: db, actions: make([]*action, 0, typicalActions)} }

// typicalActions is the maximum number of items that most transactions write.
const typicalActions = 4

// on returns the action on an item.
func (tx *Tx) on(k kind, key Key) *action {
	for _, a := range tx.actions {
		if !a.key.is(&key) {
			continue
		}
		if !a.merge(k) && tx.err == nil {
			tx.err = fmt.Errorf("keyspec: %s is written twice in one transaction", key)
		}
		return a
	}
	if len(tx.free) == 0 {
		tx.free = make([]action, typicalActions)
	}
	a := &tx.free[0]
	tx.free = tx.free[1:]
	a.row, a.key, a.kind = key.row, key, k
	a.fail(key.err)
	tx.actions = append(tx.actions, a)
	return a
}

// OnCommit has f called once the transaction has committed.
func (tx *Tx) OnCommit(f func()) { tx.committed = append(tx.committed, f) }

// Alone makes a single write cost half: it is sent without a transaction. If the response to it is
// lost and it is repeated, its condition may be refused although it was carried out, and a
// duplicate that arrives late may be carried out as well. So its condition must not hold anymore
// once it was carried out, and whoever is refused must read what is stored. Counters that are
// shifted, and several writes, are transactions all the same.
func (tx *Tx) Alone() { tx.alone = true }

// goesAlone reports whether the actions are one that Alone is about.
func (tx *Tx) goesAlone(actions []*action) bool {
	return tx.alone && len(actions) == 1 && actions[0].plan.kind != check && len(actions[0].shifts)+len(actions[0].within) == 0
}

// errRanBefore is the error of a second Run: the memory of the first one's items is in use
// by other transactions.
var errRanBefore = errors.New("keyspec: the transaction has run before: make a new one for each attempt")

// Run executes the writes. If a condition does not hold, it fails with a *Conflict and
// nothing has changed. If there are no writes, it does nothing. A Tx runs once.
func (tx *Tx) Run(ctx context.Context) error {
	if tx.ran {
		return errRanBefore
	}
	tx.ran = true
	defer tx.giveBack()
	if tx.err != nil {
		return tx.err
	}
	rides := tx.ride(ctx)
	if tx.err != nil {
		return tx.err
	}
	token, err := tx.db.newToken()
	if err != nil {
		return err
	}
	var drifts []Drift
	for attempt := 0; ; attempt++ {
		actions, err := tx.pending()
		if err != nil {
			return err
		}
		err = tx.send(ctx, actions, token)
		if err == nil {
			for _, d := range drifts {
				tx.db.OnDrift(ctx, d)
			}
			for _, f := range tx.committed {
				f()
			}
			return nil
		}
		if attempt == maxAttempts {
			return fmt.Errorf("keyspec: transaction given up after %d attempts: %w", attempt+1, err)
		}
		switch refused := refusals(err, actions); {
		case refused == nil && !isBusy(err):
			return fmt.Errorf("keyspec: transaction: %w", err)
		case refused == nil:
			if err := tx.db.pause(ctx, attempt); err != nil {
				return fmt.Errorf("keyspec: transaction: %w", err)
			}
		default:
			dropped, ok := refused.soften()
			if !ok {
				return rides.outcome(refused)
			}
			drifts = append(drifts, dropped...)
			// This is a different request, so it needs a new token.
			if token, err = tx.db.newToken(); err != nil {
				return err
			}
		}
	}
}

// pending returns the non-empty actions, planned.
func (tx *Tx) pending() ([]*action, error) {
	actions := make([]*action, 0, len(tx.actions))
	for _, a := range tx.actions {
		if a.isEmpty() && a.err == nil {
			continue
		}
		if err := a.makePlan(); err != nil {
			return nil, err
		}
		actions = append(actions, a)
	}
	if len(actions) > maxActions {
		return nil, fmt.Errorf("keyspec: a transaction of %d items, the limit is %d", len(actions), maxActions)
	}
	return actions, nil
}

// send is the only place where items are written with conditions. A single write that can
// safely be repeated is sent without the cost of a transaction.
func (tx *Tx) send(ctx context.Context, actions []*action, token *string) (err error) {
	switch {
	case len(actions) == 0:
		return nil
	case tx.db.raw != nil && !slices.ContainsFunc(actions, (*action).isDeep):
		return tx.sendRaw(ctx, actions)
	}
	requests := make([]types.TransactWriteItem, len(actions))
	for i, a := range actions {
		requests[i] = a.request(tx.db)
	}
	switch {
	case len(requests) == 1 && actions[0].isPlain() && requests[0].Put != nil:
		_, err = tx.db.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: requests[0].Put.TableName, Item: requests[0].Put.Item})
	case len(requests) == 1 && actions[0].isPlain():
		_, err = tx.db.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: requests[0].Delete.TableName, Key: requests[0].Delete.Key})
	case tx.goesAlone(actions):
		err = tx.db.sendAlone(ctx, requests[0])
	default:
		_, err = tx.db.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
			TransactItems:      requests,
			ClientRequestToken: token,
		})
	}
	return err
}

// sendAlone sends a write with its condition.
func (db *DB) sendAlone(ctx context.Context, r types.TransactWriteItem) (err error) {
	switch {
	case r.Put != nil:
		_, err = db.client.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: r.Put.TableName, Item: r.Put.Item, ConditionExpression: r.Put.ConditionExpression,
			ExpressionAttributeNames: r.Put.ExpressionAttributeNames, ExpressionAttributeValues: r.Put.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: r.Put.ReturnValuesOnConditionCheckFailure,
		})
	case r.Update != nil:
		_, err = db.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: r.Update.TableName, Key: r.Update.Key, UpdateExpression: r.Update.UpdateExpression,
			ConditionExpression: r.Update.ConditionExpression, ExpressionAttributeNames: r.Update.ExpressionAttributeNames,
			ExpressionAttributeValues:           r.Update.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: r.Update.ReturnValuesOnConditionCheckFailure,
		})
	default:
		_, err = db.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: r.Delete.TableName, Key: r.Delete.Key, ConditionExpression: r.Delete.ConditionExpression,
			ExpressionAttributeNames: r.Delete.ExpressionAttributeNames, ExpressionAttributeValues: r.Delete.ExpressionAttributeValues,
			ReturnValuesOnConditionCheckFailure: r.Delete.ReturnValuesOnConditionCheckFailure,
		})
	}
	return err
}

// newToken returns a token that makes a request idempotent. A client in this process needs
// none, because its responses cannot be lost.
func (db *DB) newToken() (*string, error) {
	if db.raw != nil {
		return nil, nil
	}
	var raw [16]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return nil, fmt.Errorf("keyspec: no randomness for a request token: %w", err)
	}
	return aws.String(hex.EncodeToString(raw[:])), nil
}

// whileBusy sends a request that is no transaction, and repeats it like one.
func (db *DB) whileBusy(ctx context.Context, send func() error) error {
	for attempt := 0; ; attempt++ {
		err := send()
		switch {
		case err == nil || !isBusy(err):
			return err
		case attempt == maxAttempts:
			return fmt.Errorf("given up after %d attempts: %w", attempt+1, err)
		}
		if err := db.pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// isBusy reports whether the same request may succeed later.
func isBusy(err error) bool {
	// A single write conflicts with a transaction that writes its item.
	if errors.As(err, new(*types.TransactionInProgressException)) || errors.As(err, new(*types.TransactionConflictException)) {
		return true
	}
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		return false
	}
	busy := false
	for _, reason := range canceled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "", "None":
		case "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded":
			busy = true
		default:
			return false
		}
	}
	return busy
}
