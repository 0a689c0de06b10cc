package store

import (
	"context"
	"slices"
	"strconv"

	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
	"stoa/systems/messaging"
)

// The devices to which a message was pushed while others could not be reached. It is
// deleted once all were.
var pushes = keyspec.Define[pushItem](ops.Table, keyspec.Row{Key: keyspec.K("messaging/pushed/{topic}", "{seqId}")})

type pushItem struct {
	Topic   messaging.TopicID `dynamo:"topic,keyonly"`
	SeqID   string            `dynamo:"seqId,keyonly"`
	Devices keyspec.Set       `dynamo:"devices"`
}

func pushKey(m messaging.MessageRef) keyspec.Key {
	return pushes.Key(string(m.Topic), strconv.Itoa(m.Seq))
}

// Pushed returns the keys of the devices to which a message was pushed.
func (s *MessageStore) Pushed(ctx context.Context, m messaging.MessageRef) ([]string, error) {
	item, err := pushes.Get(ctx, s.db, pushKey(m))
	if item == nil || err != nil {
		return nil, err
	}
	return slices.Clone(item.Devices), nil
}

// SetPushed stores those keys, or deletes them if devices is nil.
func (s *MessageStore) SetPushed(ctx context.Context, m messaging.MessageRef, devices []string) error {
	tx := s.db.NewTx()
	if devices == nil {
		pushes.Delete(tx, pushKey(m))
	} else {
		pushes.Put(tx, pushItem{m.Topic, strconv.Itoa(m.Seq), devices})
	}
	return tx.Run(ctx)
}
