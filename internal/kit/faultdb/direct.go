package faultdb

import (
	"context"
	"slices"

	"stoa/internal/kit/keyspec"
)

func (c *Client) Items(ctx context.Context, table string, keys []keyspec.DirectKey, show func(i int, item keyspec.DirectItem) error) error {
	operation := "GetItem"
	if len(keys) > 1 {
		operation = "BatchGetItem"
	}
	return c.pass(operation, []string{table}, func() error { return c.engine.Items(ctx, table, keys, show) }, failure)
}

func (c *Client) Range(ctx context.Context, r keyspec.DirectRange, show func(item keyspec.DirectItem) error) (more bool, err error) {
	err = c.pass("Query", []string{r.Table}, func() (err error) {
		more, err = c.engine.Range(ctx, r, show)
		return err
	}, failure)
	return more, err
}

func (c *Client) Transact(ctx context.Context, writes []keyspec.DirectWrite) error {
	tables := make([]string, len(writes))
	for i, w := range writes {
		tables[i] = w.Table
	}
	return c.pass("TransactWriteItems", tables, func() error {
		err := c.engine.Transact(ctx, writes)
		if err == nil {
			c.tell(direct(writes...))
		}
		return err
	}, func(e Effect) error { return canceled(e, len(writes), slices.IndexFunc(writes, decides)) })
}

// decides reports whether the write has a condition of its own. That an item whose
// counter is shifted is there is none.
func decides(w keyspec.DirectWrite) bool {
	return w.Absent || len(w.Conditions) > 0 || w.Exists && w.Kind != keyspec.DirectUpdate
}

func (c *Client) Write(ctx context.Context, w keyspec.DirectWrite) error {
	operation := map[keyspec.DirectAction]string{
		keyspec.DirectPut: "PutItem", keyspec.DirectUpdate: "UpdateItem", keyspec.DirectDelete: "DeleteItem",
	}[w.Kind]
	return c.pass(operation, []string{w.Table}, func() error {
		err := c.engine.Write(ctx, w)
		if err == nil {
			c.tell(direct(w))
		}
		return err
	}, failure)
}

// direct are the items that writes put.
func direct(writes ...keyspec.DirectWrite) []Write {
	var stored []Write
	for _, w := range writes {
		if w.Kind != keyspec.DirectPut {
			continue
		}
		text := map[string]string{}
		for _, f := range w.Fields {
			if f.Kind == keyspec.DirectText {
				text[f.Name] = f.Text
			}
		}
		stored = append(stored, Write{w.Table, text})
	}
	return stored
}
