package faultdb

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Write is an item that was put.
type Write struct {
	Table string
	// Text holds its text attributes, including keys.
	Text map[string]string
}

// Watch calls f after each transaction, and each direct put, that took effect, for every
// item put. It may be called concurrently.
func (c *Client) Watch(f func(Write)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers = append(c.watchers, f)
}

func (c *Client) tell(stored []Write) {
	c.mu.Lock()
	watchers := slices.Clone(c.watchers)
	c.mu.Unlock()
	for _, w := range stored {
		for _, watch := range watchers {
			watch(w)
		}
	}
}

// put returns the item stored by a put.
func put(p *types.Put) []Write {
	if p == nil {
		return nil
	}
	w := Write{Table: aws.ToString(p.TableName), Text: map[string]string{}}
	for name, value := range p.Item {
		if s, ok := value.(*types.AttributeValueMemberS); ok {
			w.Text[name] = s.Value
		}
	}
	return []Write{w}
}
