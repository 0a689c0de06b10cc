package keyspec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/keyspec"
)

// way is one of the two ways to write, with its own database.
type way struct {
	db     *keyspec.DB
	client *client
	drifts []keyspec.Drift
	// tx is the transaction in progress, with the actions that were added to it.
	tx      *keyspec.Tx
	actions []keyspec.Action
}

// TestWaysAgree executes the same random transactions with the SDK's calls and directly, on
// two databases, which must return the same and end up with the same contents.
func TestWaysAgree(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			byCalls, calls := open(t)
			_, c, directly := openWays(t)
			ways := [2]*way{{db: byCalls, client: calls}, {db: directly, client: c}}
			for _, w := range ways {
				w.db.OnDrift = func(_ context.Context, d keyspec.Drift) { w.drifts = append(w.drifts, d) }
			}
			random := rand.New(rand.NewPCG(seed, 9))
			refusals := 0
			for step := range 500 {
				for _, w := range ways {
					w.tx, w.actions = w.db.NewTx(), nil
				}
				for range 1 + random.IntN(5) {
					add(random, ways)
				}
				want, got := ways[0].tx.Run(t.Context()), ways[1].tx.Run(t.Context())
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("step %d: directly %v\nby calls %v", step, got, want)
				}
				if want != nil {
					refusals++
				}
				for i, a := range ways[0].actions {
					b := ways[1].actions[i]
					if keyspec.Refused(want, a) != keyspec.Refused(got, b) {
						t.Fatalf("step %d: action %d refused: %v, by calls %v", step, i, keyspec.Refused(got, b), keyspec.Refused(want, a))
					}
					x, errX := books.Stored(want, a)
					y, errY := books.Stored(got, b)
					if !reflect.DeepEqual(x, y) || fmt.Sprint(errX) != fmt.Sprint(errY) {
						t.Fatalf("step %d: action %d met %+v, %v, by calls %+v, %v", step, i, y, errY, x, errX)
					}
				}
				if !reflect.DeepEqual(ways[0].drifts, ways[1].drifts) {
					t.Fatalf("step %d: drifts %v, by calls %v", step, ways[1].drifts, ways[0].drifts)
				}
				if step%100 == 99 {
					compareWays(t, ways)
				}
			}
			if refusals < 20 || refusals > 400 {
				t.Errorf("%d of 500 were refused", refusals)
			}
			if len(ways[0].drifts) == 0 {
				t.Error("no counter drifted")
			}
		})
	}
}

// add adds the same random action to the transactions of both ways.
func add(r *rand.Rand, ways [2]*way) {
	id, reader, n := fmt.Sprint(r.IntN(4)), fmt.Sprint("r", r.IntN(2)), r.IntN(5)
	title := []string{"", "First", "Second", "Third"}[r.IntN(4)]
	kind := []string{"GIFT", "NOVEL", ""}[r.IntN(3)]
	yes := r.IntN(2) == 0
	score := float64(r.IntN(40)-20) / 8
	years, sold := r.IntN(3), stampAt(r.IntN(3))
	if sold = sold.AddDate(years, 0, 0); years == 0 {
		sold = time.Time{}
	}
	b := book{BookID: id, Title: title, Pages: n, LoanCount: r.IntN(3), Kind: kind, SoldAt: sold}
	if yes {
		b.Rare, b.Score, b.Tags = &yes, &score, []string{"a", title}
		b.Writers, b.Notes = []writer{{Name: "Eve", Born: n}}, map[string]string{"x": title}
	}
	after := b
	after.Title, after.Pages, after.Score = title+"!", 0, nil
	l := loan{BookID: id, ReaderID: reader, Status: "OUT", LentAt: stampAt(n), Text: title}
	if yes {
		l.DueAt = stampAt(n + 1)
	}
	action := r.IntN(14)
	by, limited := r.IntN(5)-2, r.IntN(3) == 0
	alone := r.IntN(2) == 0
	for _, w := range ways {
		tx := w.tx
		if alone {
			tx.Alone()
		}
		var a keyspec.Action
		switch action {
		case 0:
			a = books.Put(tx, b)
		case 1:
			a = books.Create(tx, b)
		case 2:
			a = loans.Put(tx, l)
		case 3:
			a = loans.Delete(tx, loans.KeyOf(&l)).If("status = ? AND lentAt < ?", "OUT", stampAt(4))
		case 4:
			a = books.Delete(tx, books.Key(id))
		case 5:
			a = books.Check(tx, books.Key(id)).Exists()
		case 6:
			a = books.Check(tx, books.Key(id)).If("attribute_not_exists(loanCount) OR loanCount <= ?", n)
		case 7, 8, 9:
			u := books.Update(tx, books.Key(id)).Shift("loanCount", by).Shift("pages", -by)
			if limited {
				u.If("rare = ? OR size(title) > ?", yes, 2)
			}
			a = u
		case 10:
			a = books.Update(tx, books.Key(id)).Set("title", title).Set("score", score).Set("tags", []string{title})
		case 11:
			a = books.Update(tx, books.Key(id)).Set("kind", kind).Given("soldAt", sold).Remove("rare", "notes").Shift("pages", 2)
		case 12:
			a = books.Change(tx, b, after)
		case 13:
			a = loans.Update(tx, loans.KeyOf(&l)).Set("status", loanStatus("IN")).Given("lentAt", l.LentAt).Set("dueAt", stampAt(n))
		}
		w.actions = append(w.actions, a)
	}
}

// compareWays compares the contents of all tables and indexes of both ways.
func compareWays(t *testing.T, ways [2]*way) {
	t.Helper()
	for _, ix := range append([]*keyspec.Index{keyspec.Primary}, library.Indexes...) {
		var all [2][]item
		for i, w := range ways {
			in := &dynamodb.ScanInput{TableName: aws.String("test-library")}
			if ix != keyspec.Primary {
				in.IndexName = &ix.Name
			}
			out, err := w.client.DynamoDBAPI.Scan(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = slices.Clone(out.Items)
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Fatalf("%s holds directly\n%v\nby calls\n%v", ix.Name, all[1], all[0])
		}
	}
}
