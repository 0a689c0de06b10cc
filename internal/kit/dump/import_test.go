package dump

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine"
)

// moody is an engine whose batch responses a test can change.
type moody struct {
	*engine.Engine
	mu     sync.Mutex
	answer func(call int, in *dynamodb.BatchWriteItemInput) (later []string, err error)
	calls  int
}

// BatchWriteItem writes the requests that its answer does not return as unprocessed, by
// table.
func (m *moody) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	m.mu.Lock()
	m.calls++
	later, err := m.answer(m.calls, in)
	m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	left, now := map[string][]types.WriteRequest{}, map[string][]types.WriteRequest{}
	for table, requests := range in.RequestItems {
		now[table] = requests
	}
	for _, table := range later {
		if requests := now[table]; len(requests) > 1 {
			now[table], left[table] = requests[:1], requests[1:]
		}
	}
	out, err := m.Engine.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: now})
	if err == nil {
		out.UnprocessedItems = left
	}
	return out, err
}

func TestUnprocessedItemsAreSentAgain(t *testing.T) {
	from := filled(t)
	to := &moody{Engine: open(t), answer: func(int, *dynamodb.BatchWriteItemInput) ([]string, error) {
		return []string{"x-people", "x-posts"}, nil
	}}
	var marks []Mark
	i := importing(to, &marks)
	i.pause = func(_ context.Context, attempt int) error {
		if attempt > 0 {
			t.Errorf("attempt %d, though each achieves something", attempt)
		}
		return nil
	}
	if _, err := i.Run(t.Context(), read(t, exported(t, from))); err != nil {
		t.Fatal(err)
	}
	if got, want := items(t, to.Engine), items(t, from); !reflect.DeepEqual(got, want) {
		t.Errorf("%d items became %d others", len(want), len(got))
	}
	if to.calls < 1000 {
		t.Errorf("%d requests for 1300 items, of which each request stores one of a table", to.calls)
	}
}

// refusing is a store that refuses all writes.
type refusing struct{}

func (refusing) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return &dynamodb.BatchWriteItemOutput{UnprocessedItems: in.RequestItems}, nil
}

func TestABusyStoreIsNotAskedForEver(t *testing.T) {
	var marks []Mark
	i := importing(refusing{}, &marks)
	i.pause = func(context.Context, int) error { return nil }
	_, err := i.Run(t.Context(), read(t, exported(t, filled(t))))
	if err == nil || !strings.Contains(err.Error(), "too busy") || len(marks) > 0 {
		t.Errorf("got %v and marks %v", err, marks)
	}
}

// A failed import resumes after the last recorded mark.
func TestImportGoesOn(t *testing.T) {
	from := filled(t)
	file := exported(t, from)
	broken := errors.New("broken")
	to := &moody{Engine: open(t)}
	to.answer = func(call int, _ *dynamodb.BatchWriteItemInput) ([]string, error) {
		if call > 30 {
			return nil, broken
		}
		return nil, nil
	}
	var marks []Mark
	i := importing(to, &marks)
	if _, err := i.Run(t.Context(), read(t, file)); !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
	if len(marks) == 0 {
		t.Fatal("nothing was recorded")
	}
	i.Done = marks[len(marks)-1]
	to.calls, to.answer = 0, func(int, *dynamodb.BatchWriteItemInput) ([]string, error) { return nil, nil }
	summary, err := i.Run(t.Context(), read(t, file))
	if err != nil || summary.Total() != 1300 {
		t.Fatalf("imported %v, %v", summary, err)
	}
	if to.calls >= 1300/batchSize {
		t.Errorf("%d requests: all was written again", to.calls)
	}
	if got, want := items(t, to.Engine), items(t, from); !reflect.DeepEqual(got, want) {
		t.Errorf("%d items became %d others", len(want), len(got))
	}

	i.Done.Sum = "of another file"
	if _, err := i.Run(t.Context(), read(t, file)); err == nil || !strings.Contains(err.Error(), "not the one whose import was interrupted") {
		t.Errorf("going on with another file: %v", err)
	}
}

func TestAnImportThatCannotBeRecordedEnds(t *testing.T) {
	full := errors.New("full")
	i := importing(open(t), nil)
	i.Save = func(context.Context, Mark) error { return full }
	if _, err := i.Run(t.Context(), read(t, exported(t, filled(t)))); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestACutFileIsNotImportedAsAWhole(t *testing.T) {
	file := exported(t, filled(t))
	var marks []Mark
	r, err := NewReader(bytes.NewReader(file[:len(file)-10]))
	if err != nil {
		t.Fatal(err)
	}
	var cut *IncompleteError
	if _, err := importing(open(t), &marks).Run(t.Context(), r); !errors.As(err, &cut) || cut.Items != 1300 {
		t.Errorf("got %v", err)
	}
}

func TestAnImportEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var marks []Mark
	i := importing(refusing{}, &marks)
	i.pause = func(ctx context.Context, _ int) error { stop(); return wait(ctx, 30) }
	if _, err := i.Run(ctx, read(t, exported(t, filled(t)))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
