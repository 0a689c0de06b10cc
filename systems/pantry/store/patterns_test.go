package store_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stoa/internal/kit/designtest"
	"stoa/internal/kit/page"
	"stoa/internal/ops"
	"stoa/systems/pantry"
	"stoa/systems/pantry/store"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) (*store.Store, *designtest.Calls) { return openIn(t, "") }

// openIn opens a store with its data in a directory, or in memory if dir is empty.
func openIn(t *testing.T, dir string) (*store.Store, *designtest.Calls) {
	t.Helper()
	db, calls := designtest.Open(t, dir, store.Pantry, ops.Table)
	return store.Open(db), calls
}

// TestAccessPatterns executes every access pattern of the design and of the specified
// behaviour (pantry 2#1-2, 3#1-3 and 4.2#5).
func TestAccessPatterns(t *testing.T) {
	s, r := open(t)
	ctx := t.Context()
	q := page.Query{First: 20}
	facts := func(w pantry.Wanted) error {
		_, err := s.Users.Facts(ctx, w)
		return err
	}
	for _, c := range []struct {
		pattern string
		read    func() error
		want    string
	}{
		{"GetUser", func() error { return facts(pantry.Wanted{Users: []pantry.UserID{"u"}}) }, "get u | USER"},
		{"ListOfUsersGroup", func() error { _, err := s.Users.Self(ctx, "u"); return err }, "query table, consistent: PK = u"},
		{"GetGroup, is member", func() error { return facts(pantry.Wanted{Groups: []pantry.GroupID{"g"}}) }, "get g | Group"},
		{"ListOfContainers", func() error { _, err := s.Containers.IDs(ctx, "g", q); return err }, "query table, consistent: PK = g AND begins_with(SK, Container#)"},
		{"ListOfUsers", func() error { _, err := s.Groups.UserIDs(ctx, "g", q); return err }, "query UserAndGroupRelation: GroupID = g"},
		{"GetContainer", func() error { return facts(pantry.Wanted{Containers: []pantry.ContainerID{"c"}}) }, "get c | Container"},
		{"join links of a group", func() error { _, err := s.Links.OfGroup(ctx, "g", time.Time{}, q); return err }, "query JoinLink: GroupID = g"},
		{"valid links of a group", func() error { _, err := s.Links.OfGroup(ctx, "g", noon, q); return err },
			"query JoinLink: GroupID = g AND LinkExpiredDatetime >= 2026-01-01T12:00:00.000Z"},
		{"ListOfExpiredJoinLinks", func() error { _, err := s.Links.Expired(ctx, noon, q); return err },
			"query ExpiredJoinLink: LinkKind = JoinLink AND LinkExpiredDatetime <= 2026-01-01T11:59:59.999Z"},
		{"link by code", func() error { return facts(pantry.Wanted{Codes: []string{"x"}}) }, "get JoinLink#x | JoinLink"},
		{"the link itself", func() error {
			return facts(pantry.Wanted{Links: []pantry.LinkRef{{GroupID: "g", Key: "ShareLink#2026-01-01T12:00:00.000Z"}}})
		}, "get g | ShareLink#2026-01-01T12:00:00.000Z"},
		{"categories", func() error { return facts(pantry.Wanted{Categories: true}) }, "get Category | Category"},
	} {
		if err := c.read(); err != nil {
			t.Errorf("%s: %v", c.pattern, err)
		}
		if got := r.Take(); got != c.want {
			t.Errorf("%s: %s, want %s", c.pattern, got, c.want)
		}
	}
}

// TestRowsConform verifies on the engine that every row behaves as declared.
func TestRowsConform(t *testing.T) { designtest.RowsConform(t, store.Pantry, ops.Table) }

// pantry 5.6#3: the time to live of items is ExpiresAt.
func TestItemsExpire(t *testing.T) {
	_, r := open(t)
	out, err := r.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("Pantry")})
	if err != nil || aws.ToString(out.TimeToLiveDescription.AttributeName) != "ExpiresAt" {
		t.Errorf("items expire by %+v, %v", out, err)
	}
}

// written returns the total size of the files in a directory, in bytes.
func written(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		bytes += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestAChangedFoodDoesNotSendTheOthers checks that a container of 500 foods is read with
// one call, and that changing one of them takes one call that contains no other food. The
// engine writes little more than that item (pantry 2.3#3 and 5.1#10).
func TestAChangedFoodDoesNotSendTheOthers(t *testing.T) {
	dir := t.TempDir()
	s, r := openIn(t, dir)
	ctx := t.Context()
	box := &pantry.Container{ID: "c", GroupID: "g", Name: "Fridge", CreatedAt: noon, UpdatedAt: noon, Version: 1, Foods: map[pantry.FoodID]pantry.Food{}}
	for i := range pantry.MaxFoods {
		id := pantry.FoodID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i))
		name, unit, category, expiry := strings.Repeat("🥛", 30), strings.Repeat("🥛", 20), strings.Repeat("🥛", 30), noon
		q := pantry.MaxQuantity
		box.Foods[id] = pantry.Food{
			ID: id, Name: name, Unit: &unit, Category: &category, Expiry: &expiry, Quantity: &q, CreatedAt: noon, UpdatedAt: noon, Version: 1,
			AddedBy: "us-east-1:00000000-0000-4000-8000-000000000001",
		}
	}
	u := &pantry.User{ID: "u", Name: "u", Email: "u@example.com", GroupCount: 1, CreatedAt: noon, UpdatedAt: noon, Version: 1}
	g := &pantry.Group{ID: "g", Name: "g", UserIDs: []pantry.UserID{"u"}, ContainerCount: 1, CreatedAt: noon, UpdatedAt: noon, Version: 1}
	before := written(t, dir)
	if err := s.Users.Create(ctx, u, g, box); err != nil {
		t.Fatalf("the largest container does not fit: %v", err)
	}
	whole := written(t, dir) - before // the container, and less than 2 KB of user and group
	r.Take()
	facts, err := s.Containers.Facts(ctx, pantry.Wanted{Containers: []pantry.ContainerID{"c"}})
	if err != nil || len(facts.Containers["c"].Foods) != pantry.MaxFoods {
		t.Fatalf("read %+v, %v", facts, err)
	}
	if got := r.Take(); got != "get c | Container" {
		t.Errorf("read by %s", got)
	}
	r.Sent = 0
	name := "renamed"
	before = written(t, dir)
	f := box.Foods["00000000-0000-4000-8000-000000000250"]
	if _, err := s.Containers.Edit(ctx, facts.Containers["c"], f, pantry.FoodEdit{Name: &name}, true, "u", noon); err != nil {
		t.Fatal(err)
	}
	if got := r.Take(); got != "transaction" || r.Sent == 0 || r.Sent > 2<<10 {
		t.Errorf("changed by %s of %d bytes, want one of at most 2 KB", got, r.Sent)
	}
	if change := written(t, dir) - before; change < 500 || change > whole+2<<10 {
		t.Errorf("the engine wrote %d bytes for it, and %d when the container was new", change, whole)
	}
}
