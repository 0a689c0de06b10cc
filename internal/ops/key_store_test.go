package ops_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"stoa/internal/idempotency"
	"stoa/internal/kit/keyspec"
	"stoa/internal/ops"
)

// shelf is a table of a system.
var shelf = &keyspec.Table{Name: "shelf", PK: "pk", SK: "sk"}

type book struct {
	ISBN string `dynamo:"isbn"`
}

var books = keyspec.Define[book](shelf, keyspec.Row{Key: keyspec.K("book/{isbn}", "-")})

func rootField(context.Context) string { return "add" }

// decide commits a transaction of a decision with a key, at a time.
func decide(t *testing.T, db *keyspec.DB, k idempotency.Key, at time.Time, write func(tx *keyspec.Tx)) error {
	t.Helper()
	ctx, _ := idempotency.Start(t.Context(), ops.Open(db).Keys, k, "document", at, rootField)
	defer idempotency.Decide(ctx)()
	tx := db.NewTx()
	write(tx)
	return tx.Run(ctx)
}

func addBook(isbn string) func(*keyspec.Tx) {
	return func(tx *keyspec.Tx) { books.Put(tx, book{isbn}) }
}

func TestAKeyIsRecordedOnce(t *testing.T) {
	_, db := openWith(t, shelf)
	keys := ops.Open(db).Keys
	morning := time.Date(2030, 1, 1, 8, 0, 0, 0, time.UTC)
	night := time.Date(2030, 1, 1, 23, 59, 59, 0, time.UTC)
	for _, test := range []struct {
		name      string
		at, again time.Time
		want      bool
	}{
		{"at once", morning, morning, false},
		{"at the end of the day", morning, night, false},
		{"after a day", morning, morning.Add(idempotency.Lifetime), true},
		{"behind midnight", night, night.Add(2 * time.Second), false},
		{"by a clock that is behind", night.Add(2 * time.Second), night, false},
	} {
		k := idempotency.Key{System: "toy", Caller: "ana", Digest: "a" + test.name}
		if err := decide(t, db, k, test.at, addBook("1")); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		record, err := keys.Load(t.Context(), k, test.again)
		want := idempotency.Record{}
		if !test.want {
			want = idempotency.Record{Document: "document", At: test.at, Done: map[string]bool{"add": true}}
		}
		if err != nil || !reflect.DeepEqual(record, want) {
			t.Errorf("%s: loaded %+v, %v; want %+v", test.name, record, err, want)
		}
		if err := decide(t, db, k, test.again, addBook("2")); (err == nil) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// A lease or an account is not what a mutation is for.
func TestRowsOfTheTableItselfAreNotRecorded(t *testing.T) {
	s, db := openWith(t, shelf)
	k := idempotency.Key{System: "toy", Caller: "ana", Digest: "abc"}
	for name, write := range map[string]func(*keyspec.Tx){
		"nothing":   func(*keyspec.Tx) {},
		"a check":   func(tx *keyspec.Tx) { books.Check(tx, books.Key("1")).Absent() },
		"an answer": func(tx *keyspec.Tx) { ops.Record(tx) },
	} {
		if err := decide(t, db, k, noon, write); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if record, err := s.Keys.Load(t.Context(), k, noon); record.Document != "" || err != nil {
		t.Errorf("recorded %+v, %v", record, err)
	}
}

func TestTheFirstAnswerStays(t *testing.T) {
	s, _ := open(t)
	k := idempotency.Key{System: "toy", Caller: "ana", Digest: "abc"}
	for i, want := range []bool{true, false} {
		if stored, err := s.Keys.Answer(t.Context(), k, "document", noon, []byte{'1' + byte(i)}); stored != want || err != nil {
			t.Errorf("answer %d: %t, %v", i, stored, err)
		}
	}
	if record, err := s.Keys.Load(t.Context(), k, noon.Add(time.Hour)); string(record.Answer) != "1" || err != nil {
		t.Errorf("answered %q, %v", record.Answer, err)
	}
	if stored, err := s.Keys.Answer(t.Context(), k, "document", noon.Add(48*time.Hour), make([]byte, 360_000)); stored || err != nil {
		t.Errorf("a large answer: %t, %v", stored, err)
	}
	other := k
	other.Caller = "ben"
	if record, err := s.Keys.Load(t.Context(), other, noon); record.Document != "" || err != nil {
		t.Errorf("another caller gets %+v, %v", record, err)
	}
}

func TestOldKeysAreRemoved(t *testing.T) {
	s, db := open(t)
	for _, digest := range []string{"0a", "fa"} {
		k := idempotency.Key{System: "toy", Caller: "ana", Digest: digest}
		if _, err := s.Keys.Answer(t.Context(), k, "document", noon, []byte("1")); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		after time.Duration
		empty bool
	}{{24 * time.Hour, false}, {48 * time.Hour, true}} {
		if err := s.Keys.Tidy(t.Context(), noon.Add(step.after)); err != nil {
			t.Fatal(err)
		}
		if empty, err := db.IsEmpty(t.Context(), ops.Table); empty != step.empty || err != nil {
			t.Errorf("after %v: empty %t, %v", step.after, empty, err)
		}
	}
}
