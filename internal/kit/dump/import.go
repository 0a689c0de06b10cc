package dump

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const (
	// batchSize is DynamoDB's maximum number of writes per request.
	batchSize = 25
	// batchesAtOnce is the number of concurrent requests.
	batchesAtOnce = 8
	// longestPause is the longest pause for an overloaded store.
	longestPause = 10 * time.Second
	// patience is the maximum number of consecutive requests without progress.
	patience = 20
)

// Batches writes items.
type Batches interface {
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// Mark is the position up to which a file has been imported.
type Mark struct {
	Chunks int
	// Sum is the checksum of the last imported chunk, empty if there is none.
	Sum string
}

// Importing is an import of one file.
type Importing struct {
	To Batches
	// Prefix is the prefix of table names.
	Prefix string
	// Done is the position reached by an earlier attempt.
	Done Mark
	// Save records the position, so that another attempt can continue from it. It is called
	// after each chunk, when all items so far are stored.
	Save     func(context.Context, Mark) error
	Progress Progress

	pause func(ctx context.Context, attempt int) error // wait; tests replace it
}

// Run writes the items of the file to their tables, replacing items with the same keys. If
// it returns no error, the whole file is stored and undamaged. Items are written before the
// end of the file is known to exist: call Verify first if a file can be read twice.
func (i Importing) Run(ctx context.Context, from *Reader) (Summary, error) {
	if i.pause == nil {
		i.pause = wait
	}
	total := int(from.Header().estimate())
	for {
		chunk, err := from.Next()
		if err == io.EOF {
			return from.Summary(), nil
		}
		if err != nil {
			return Summary{}, err
		}
		switch {
		case chunk.Number == i.Done.Chunks && chunk.Sum != i.Done.Sum:
			return Summary{}, errors.New("the file is not the one whose import was interrupted")
		case chunk.Number > i.Done.Chunks:
			if err := i.store(ctx, chunk.Items); err != nil {
				return Summary{}, err
			}
			if err := i.Save(ctx, Mark{chunk.Number, chunk.Sum}); err != nil {
				return Summary{}, err
			}
		}
		done := int(from.Summary().Total())
		i.Progress(done, max(done, total))
	}
}

// Verify reads a whole file and reports errors.
func Verify(from io.Reader) (Header, error) {
	r, err := NewReader(from)
	if err != nil {
		return Header{}, err
	}
	for {
		if _, err := r.Next(); err == io.EOF {
			return r.Header(), nil
		} else if err != nil {
			return r.Header(), err
		}
	}
}

// store writes items with several concurrent requests. It stops at the first error.
func (i Importing) store(ctx context.Context, items []TableItem) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	batches := make(chan []TableItem)
	var writers sync.WaitGroup
	for range batchesAtOnce {
		writers.Go(func() {
			for batch := range batches {
				if err := i.write(ctx, batch); err != nil {
					stop(err)
				}
			}
		})
	}
	for len(items) > 0 && ctx.Err() == nil {
		n := min(batchSize, len(items))
		batches <- items[:n]
		items = items[n:]
	}
	close(batches)
	writers.Wait()
	return context.Cause(ctx)
}

// write writes a batch, repeating unprocessed items.
func (i Importing) write(ctx context.Context, batch []TableItem) error {
	left := map[string][]types.WriteRequest{}
	for _, b := range batch {
		item, err := b.Item()
		if err != nil {
			return err
		}
		table := i.Prefix + b.Table
		left[table] = append(left[table], types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
	}
	size := len(batch)
	for attempt := 0; ; attempt++ {
		out, err := i.To.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: left})
		if err != nil {
			return err
		}
		before := size
		left, size = out.UnprocessedItems, 0
		for _, requests := range left {
			size += len(requests)
		}
		if size == 0 {
			return nil
		}
		if size < before {
			attempt = 0
		}
		if attempt == patience {
			return errors.New("the store is too busy to accept more items: try again later")
		}
		if err := i.pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// wait pauses with exponential backoff and jitter.
func wait(ctx context.Context, attempt int) error {
	longest := min(50*time.Millisecond<<attempt, longestPause)
	select {
	case <-time.After(longest/2 + rand.N(longest/2)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
