package dump

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stoa/internal/kit/engine"
	"stoa/internal/kit/engine/enginetest"
)

var noon = time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC)

func unseen(int, int) {}

// open opens an engine with the tables "x-people" and "x-posts".
func open(t *testing.T) *engine.Engine {
	t.Helper()
	e := enginetest.Memory(t)
	for _, name := range []string{"x-people", "x-posts"} {
		_, err := e.CreateTable(t.Context(), &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest,
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("at"), AttributeType: types.ScalarAttributeTypeN},
			},
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("at"), KeyType: types.KeyTypeRange},
			},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
				IndexName: aws.String("by-time"), KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("at"), KeyType: types.KeyTypeHash}},
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"kept"}},
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// fill puts n items of about a kilobyte into a table.
func fill(t *testing.T, e *engine.Engine, table string, n int) {
	t.Helper()
	for i := range n {
		item := Item{
			"id": &types.AttributeValueMemberS{Value: fmt.Sprintf("%s %d", table, i/3)}, "at": &types.AttributeValueMemberN{Value: fmt.Sprint(i - 5)},
			"text": &types.AttributeValueMemberS{Value: strings.Repeat("ä\"\n<&>\u2028", 100)},
			"blob": &types.AttributeValueMemberBS{Value: [][]byte{{0, 255, byte(i)}}},
		}
		if _, err := e.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
}

// filled returns an engine with enough items for several chunks.
func filled(t *testing.T) *engine.Engine {
	e := open(t)
	fill(t, e, "x-people", 900)
	fill(t, e, "x-posts", 400)
	return e
}

func header(t *testing.T, e *engine.Engine) Header {
	t.Helper()
	h := Header{ID: "file-1", TakenAt: noon, Source: "test", Prefix: "x-"}
	for _, name := range []string{"x-people", "x-posts"} {
		table, err := Describe(t.Context(), e, "x-", name)
		if err != nil {
			t.Fatal(err)
		}
		h.Tables = append(h.Tables, table)
	}
	return h
}

// exported returns an export of e by scanning.
func exported(t *testing.T, e *engine.Engine) []byte {
	t.Helper()
	var file bytes.Buffer
	if _, err := Export(t.Context(), &file, Scan{e}, header(t, e), unseen); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// importing returns an import into e that records its marks.
func importing(e Batches, marks *[]Mark) Importing {
	return Importing{To: e, Prefix: "x-", Progress: unseen, Save: func(_ context.Context, m Mark) error {
		*marks = append(*marks, m)
		return nil
	}}
}

func read(t *testing.T, file []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// items returns all items of both tables, in order.
func items(t *testing.T, e *engine.Engine) (all []Item) {
	t.Helper()
	for _, name := range []string{"x-people", "x-posts"} {
		if err := (Scan{e}).Items(t.Context(), name, nil, func(item Item) error { all = append(all, item); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestItemsSurviveAFile(t *testing.T) {
	from, to := filled(t), open(t)
	snapshot, err := from.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	var file bytes.Buffer
	h := header(t, from)
	h.OneMoment = true
	summary, err := Export(t.Context(), &file, snapshot, h, unseen)
	want := Summary{Items: map[string]int64{"people": 900, "posts": 400}, OneMoment: true}
	if err != nil || !reflect.DeepEqual(summary, want) {
		t.Fatalf("exported %v, %v", summary, err)
	}
	if got, err := Verify(bytes.NewReader(file.Bytes())); err != nil || got.ID != "file-1" || !got.TakenAt.Equal(noon) || got.Version != Version {
		t.Errorf("the header is %+v, %v", got, err)
	}
	var marks []Mark
	summary, err = importing(to, &marks).Run(t.Context(), read(t, file.Bytes()))
	if err != nil || !reflect.DeepEqual(summary, want) {
		t.Fatalf("imported %v, %v", summary, err)
	}
	if len(marks) < 3 || marks[2].Chunks != 3 {
		t.Errorf("marks %v, want one for each of several chunks", marks)
	}
	if got, want := items(t, to), items(t, from); !reflect.DeepEqual(got, want) {
		t.Errorf("%d items became %d others", len(want), len(got))
	}
	if n, err := Count(t.Context(), to, "x-people"); n != 900 || err != nil {
		t.Errorf("counted %d, %v", n, err)
	}
}

func TestAFileIsLinesOfJSON(t *testing.T) {
	e := open(t)
	fill(t, e, "x-people", 2)
	unpacked, err := gzip.NewReader(bytes.NewReader(exported(t, e)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for row := range bytes.Lines(text) {
		var l map[string]json.RawMessage
		if err := json.Unmarshal(row, &l); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"kind", "item", "chunk", "end"} {
			if _, ok := l[name]; ok {
				kinds = append(kinds, name)
			}
		}
	}
	if got := fmt.Sprint(kinds); got != "[kind item item chunk end]" {
		t.Errorf("the lines are %s", got)
	}
	var h Header
	if err := json.Unmarshal(bytes.SplitN(text, []byte("\n"), 2)[0], &h); err != nil {
		t.Fatal(err)
	}
	people := Table{Name: "people", EstimatedItems: 2, Key: []Attribute{{"id", "S"}, {"at", "N"}},
		Indexes: []Index{{"by-time", []Attribute{{"at", "N"}}, "INCLUDE", []string{"kept"}}}}
	if !reflect.DeepEqual(h.Tables[0], people) {
		t.Errorf("the header describes %+v", h.Tables[0])
	}
}

func TestEmptyTables(t *testing.T) {
	from, to := open(t), open(t)
	var marks []Mark
	summary, err := importing(to, &marks).Run(t.Context(), read(t, exported(t, from)))
	if err != nil || summary.Total() != 0 || len(marks) != 0 {
		t.Errorf("imported %v with marks %v, %v", summary, marks, err)
	}
	if empty, err := Empty(t.Context(), to, "x-people"); !empty || err != nil {
		t.Errorf("empty: %v, %v", empty, err)
	}
	fill(t, to, "x-people", 1)
	if empty, err := Empty(t.Context(), to, "x-people"); empty || err != nil {
		t.Errorf("one item is empty: %v, %v", empty, err)
	}
}

// A truncated file is detected wherever it ends, and can be completed.
func TestCutFiles(t *testing.T) {
	e := filled(t)
	whole := exported(t, e)
	want := items(t, e)
	for _, size := range []int{0, 5, 200, 300, len(whole) / 3, len(whole) / 2, len(whole) - 150, len(whole) - 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			var cut *IncompleteError
			if _, err := Verify(bytes.NewReader(whole[:size])); !errors.As(err, &cut) {
				t.Fatalf("a file of %d of %d bytes: %v", size, len(whole), err)
			}
			name := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(name, whole[:size], 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.OpenFile(name, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			summary, err := Resume(t.Context(), file, Scan{e}, header(t, e), unseen)
			if err != nil || summary.Total() != 1300 || summary.OneMoment {
				t.Fatalf("continued to %v, %v", summary, err)
			}
			continued, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var got []Item
			r := read(t, continued)
			for {
				chunk, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range chunk.Items {
					item, err := i.Item()
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, item)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the continued file holds %d other items", len(got))
			}
			if _, err := file.Seek(0, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			if _, err := Resume(t.Context(), file, Scan{e}, header(t, e), unseen); !errors.Is(err, ErrComplete) {
				t.Errorf("continuing a whole file: %v", err)
			}
		})
	}
}

// A snapshot that is resumed later is no longer marked as a snapshot.
func TestAContinuedFileIsOfNoMoment(t *testing.T) {
	e := filled(t)
	var buffer bytes.Buffer
	h := header(t, e)
	h.OneMoment = true
	if _, err := Export(t.Context(), &buffer, Scan{e}, h, unseen); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, buffer.Bytes()[:buffer.Len()*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	summary, err := Resume(t.Context(), file, Scan{e}, h, unseen)
	if err != nil || summary.OneMoment {
		t.Errorf("continued to %v, %v", summary, err)
	}
	continued, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var marks []Mark
	if summary, err := importing(open(t), &marks).Run(t.Context(), read(t, continued)); err != nil || summary.OneMoment || summary.Total() != 1300 {
		t.Errorf("imported %v, %v", summary, err)
	}
}

func TestResumeRefusesOtherTables(t *testing.T) {
	e := filled(t)
	whole := exported(t, e)
	for name, change := range map[string]func(*Header){
		"an export of tables x-* in test: continue": func(h *Header) { h.Source = "aws" },
		"an export of tables x-* in test":           func(h *Header) { h.Prefix = "y-" },
		"table posts of the file does not exist":    func(h *Header) { h.Tables = h.Tables[:1] },
		"table people has the key":                  func(h *Header) { h.Tables[0].Key = h.Tables[0].Key[:1] },
	} {
		file, err := os.Create(filepath.Join(t.TempDir(), "file"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Write(whole[:len(whole)/2]); err != nil {
			t.Fatal(err)
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		h := header(t, e)
		change(&h)
		if _, err := Resume(t.Context(), file, Scan{e}, h, unseen); !errors.As(err, new(*MismatchError)) || !strings.Contains(err.Error(), name) {
			t.Errorf("want %s, got %v", name, err)
		}
	}
}
