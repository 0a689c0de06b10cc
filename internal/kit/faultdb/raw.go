package faultdb

import (
	"context"
	"slices"

	"stoa/internal/kit/engine/raw"
)

func (c *Client) ReadItems(ctx context.Context, table string, keys []raw.Key, show func(i int, item raw.Item) error) error {
	operation := "GetItem"
	if len(keys) > 1 {
		operation = "BatchGetItem"
	}
	return c.pass(operation, []string{table}, func() error { return c.engine.ReadItems(ctx, table, keys, show) }, failure)
}

func (c *Client) ReadRange(ctx context.Context, r raw.Range, show func(item raw.Item) error) (more bool, err error) {
	err = c.pass("Query", []string{r.Table}, func() (err error) {
		more, err = c.engine.ReadRange(ctx, r, show)
		return err
	}, failure)
	return more, err
}

func (c *Client) WriteAll(ctx context.Context, writes []raw.Write) error {
	tables := make([]string, len(writes))
	for i, w := range writes {
		tables[i] = w.Table
	}
	return c.pass("TransactWriteItems", tables, func() error {
		err := c.engine.WriteAll(ctx, writes)
		if err == nil {
			c.tell(puts(writes...))
		}
		return err
	}, func(e Effect) error { return canceled(e, len(writes), slices.IndexFunc(writes, decides)) })
}

// decides reports whether the write has a condition of its own. The condition that the item
// of a counter shift exists does not count.
func decides(w raw.Write) bool {
	return w.Absent || len(w.Conditions) > 0 || w.Exists && w.Action != raw.Update
}

func (c *Client) WriteOne(ctx context.Context, w raw.Write) error {
	operation := map[raw.Action]string{
		raw.Put: "PutItem", raw.Update: "UpdateItem", raw.Delete: "DeleteItem",
	}[w.Action]
	return c.pass(operation, []string{w.Table}, func() error {
		err := c.engine.WriteOne(ctx, w)
		if err == nil {
			c.tell(puts(w))
		}
		return err
	}, failure)
}

// puts returns the items put by writes.
func puts(writes ...raw.Write) []Write {
	var stored []Write
	for _, w := range writes {
		if w.Action != raw.Put {
			continue
		}
		text := map[string]string{}
		for _, f := range w.Fields {
			if f.Kind == raw.Text {
				text[f.Name] = f.Text
			}
		}
		stored = append(stored, Write{w.Table, text})
	}
	return stored
}
