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
	// batchSize is the most that DynamoDB writes in one request.
	batchSize = 25
	// batchesAtOnce is how many requests are under way at a time.
	batchesAtOnce = 8
	// longestPause is the longest that a store which is too busy is left alone.
	longestPause = 10 * time.Second
	// patience is how many requests in a row may achieve nothing.
	patience = 20
)

// Batches is what items are written with.
type Batches interface {
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// Mark says up to where a file has been imported.
type Mark struct {
	Chunks int
	// Sum is the checksum of the last of them, empty when there is none.
	Sum string
}

// Importing is an import of one file.
type Importing struct {
	To Batches
	// Prefix is what the names of the tables begin with.
	Prefix string
	// Done is what an earlier attempt has achieved.
	Done Mark
	// Save records what has been achieved, so that another attempt can go on from
	// there. It is called after each chunk, when all items so far are stored.
	Save     func(context.Context, Mark) error
	Progress Progress

	pause func(ctx context.Context, attempt int) error // wait, unless a test replaces it
}

// Run writes the items of the file to their tables, in place of items with the same
// keys. Without error the whole file is stored and was what had been exported. Items
// are written before the end of the file is known to be there: call Verify first where
// a file can be read twice.
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

// Verify reads a whole file and reports what is wrong with it.
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

// store writes items, several requests at a time. The first error stops all.
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

// write writes a batch until the store has taken all of it.
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
			return errors.New("the store takes no more items: it is too busy, go on later")
		}
		if err := i.pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// wait pauses for longer with each attempt, never for the same time as others do.
func wait(ctx context.Context, attempt int) error {
	longest := min(50*time.Millisecond<<attempt, longestPause)
	timer := time.NewTimer(longest/2 + rand.N(longest/2))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
