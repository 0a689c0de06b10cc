// Package seed invents the archive of a county's historical society: a census by
// township, with posts in several states, births, and a library.
//
// Everything is determined by a seed. All people who sign in have the same, publicly known
// password, so a seeded store must be accessible to developers only.
package seed

import (
	"context"
	"fmt"
	"math/rand/v2"

	"stoa/internal/kit/fake"
	"stoa/internal/kit/page"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive"
	"stoa/systems/archive/resolvers"
)

// Person is a generated user of the archive.
type Person struct {
	ID    viewer.UserID
	Email string
	Level archive.AuthLevel
}

func as(p Person) viewer.Viewer { return viewer.Viewer{UserID: p.ID} }

// Result describes what was added.
type Result struct {
	Users, Collections, Posts, Published, Records, Households, Places int
	// Email is the address of the administrator.
	Email string
}

// People returns n people determined by seed: an administrator, an editor, contributors,
// readers, and a guest.
func People(seed uint64, n int, region string) []Person {
	random := fake.Source(seed, 41)
	people := make([]Person, n)
	for i := range people {
		level := archive.Reader
		switch {
		case i == 0:
			level = archive.Admin
		case i == 1:
			level = archive.Editor
		case i < 5:
			level = archive.Contributor
		case i == 5:
			level = archive.Guest
		}
		first, last := fake.Pick(random, fake.FirstNames), fake.Pick(random, fake.LastNames)
		people[i] = Person{viewer.UserID(region + ":" + fake.UUID(random)), fmt.Sprintf("%s.%s.%d@archive.example", first, last, i+1), level}
	}
	return people
}

// IDs returns a generator of ids determined by seed.
func IDs(seed uint64) func() string { return fake.IDs(fake.Source(seed, 42)) }

// householdsPerPerson is the number of households listed for each user, and sheet the
// maximum number in one post.
const (
	householdsPerPerson = 3
	sheet               = 400
)

// filler adds the archive.
type filler struct {
	*resolvers.Resolver
	random *rand.Rand
	result Result
	// admin, editor and contributors are the people who work on it. They may be the same.
	admin, editor Person
	contributors  []Person
}

// Fill registers people and adds the archive that they work on.
func Fill(ctx context.Context, a *resolvers.Resolver, seed uint64, people []Person, progress func(done, total int)) (Result, error) {
	f := &filler{Resolver: a, random: fake.Source(seed, 43), admin: people[0], editor: people[0]}
	households := max(8*5, householdsPerPerson*len(people))
	posts := max(len(townships), (households+sheet-1)/sheet)
	done, total := 0, len(people)+posts
	step := func() {
		if done++; progress != nil {
			progress(done, total)
		}
	}
	for _, p := range people {
		a.People.Level = p.Level
		if _, err := a.People.SignIn(ctx, as(p)); err != nil {
			return f.result, fmt.Errorf("register %s: %w", p.Email, err)
		}
		switch p.Level {
		case archive.Editor:
			f.editor = p
		case archive.Contributor:
			f.contributors = append(f.contributors, p)
		}
		f.result.Users++
		step()
	}
	if len(f.contributors) == 0 {
		f.contributors = []Person{f.editor}
	}
	f.result.Email = f.admin.Email
	places := gazetteer()
	f.result.Places = len(places)
	if err := f.prepare(ctx, places); err != nil {
		return f.result, err
	}
	return f.result, f.fill(ctx, posts, households, step)
}

// prepare stores the gazetteer, and the settings if there are none.
func (f *filler) prepare(ctx context.Context, places []*archive.Place) error {
	by := as(f.admin)
	if _, err := f.Places.Load(ctx, by, places); err != nil {
		return err
	}
	if _, err := f.Places.LoadWords(ctx, by, words(places)); err != nil {
		return err
	}
	if saved, err := f.Places.Settings(ctx, by); err != nil || saved != nil {
		return err
	}
	if _, err := f.Places.SaveSettings(ctx, by, settings, nil); err != nil {
		return err
	}
	_, err := f.Settings.Save(ctx, by, entries, nil)
	return err
}

// fill adds categories and collections with their content.
func (f *filler) fill(ctx context.Context, posts, households int, step func()) error {
	var ids []archive.ID
	for _, name := range []string{"Censuses", "Vital records", "Library", "Marlow County"} {
		id, err := f.category(ctx, name)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	county := ids[3]
	census, err := f.collection(ctx, censusPlan, ids[0], county)
	if err != nil {
		return err
	}
	births, err := f.collection(ctx, birthsPlan, ids[1], county)
	if err != nil {
		return err
	}
	library, err := f.collection(ctx, libraryPlan, ids[2])
	if err != nil {
		return err
	}
	if err := f.post(ctx, births, "Births 1868 to 1880", f.births(60), published); err != nil {
		return err
	}
	if err := f.post(ctx, library, "Reading room", f.library(), published); err != nil {
		return err
	}
	for i := range posts {
		township := townships[i%len(townships)]
		name := fmt.Sprintf("%s Township, sheet %d", township, 1+i/len(townships))
		share := households*(i+1)/posts - households*i/posts
		if err := f.post(ctx, census, name, f.township(township, share), stateOf(i)); err != nil {
			return err
		}
		step()
	}
	return nil
}

// state is the state of a post.
type state int

const (
	published state = iota
	draft
	failed
	empty
)

// stateOf returns the state of one of the posts of the census: three of eight are not
// published.
func stateOf(i int) state {
	switch i % len(townships) {
	case 5:
		return draft
	case 6:
		return failed
	case 7:
		return empty
	}
	return published
}

func (f *filler) collection(ctx context.Context, plan archive.CollectionPlan, categories ...archive.ID) (archive.ID, error) {
	plan.CategoryIDs = categories
	f.result.Collections++
	c, err := f.Catalog.CreateCollection(ctx, as(f.editor), plan)
	if err != nil {
		return 0, err
	}
	return c.ID, nil
}

// post adds a post by one of the contributors, with the rows of a file unless it is to
// remain empty.
func (f *filler) post(ctx context.Context, collection archive.ID, name, csv string, s state) error {
	by := fake.Pick(f.random, f.contributors)
	plan := archive.PostPlan{
		Name:         name,
		CollectionID: collection,
		Metadata:     archive.Metadata{"film": fmt.Sprintf(`"%d"`, 1_254_000+f.result.Posts), "proofread": "true"},
	}
	if s != published {
		plan.Metadata["proofread"] = "false"
	}
	p, err := f.Posts.Create(ctx, as(by), plan)
	if err != nil {
		return err
	}
	f.result.Posts++
	if s == empty {
		return nil
	}
	r, err := f.Records.Import(ctx, as(by), p.ID, csv)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f.result.Records, f.result.Households = f.result.Records+r.Created, f.result.Households+r.Households
	switch s {
	case published:
		f.result.Published++
		return f.publish(ctx, p.ID, "")
	case failed:
		return f.publish(ctx, p.ID, "The index could not be written: the disk is full")
	}
	return nil
}

// category returns a category of an archive that was added before, or creates one.
func (f *filler) category(ctx context.Context, name string) (archive.ID, error) {
	there, err := f.Catalog.Categories(ctx, as(f.editor), name, page.Args{})
	if err != nil {
		return 0, err
	}
	for _, c := range there.Items {
		if archive.Fold(c.Name) == archive.Fold(name) {
			return c.ID, nil
		}
	}
	c, err := f.Catalog.CreateCategory(ctx, as(f.editor), name)
	if err != nil {
		return 0, err
	}
	return c.ID, nil
}

// publish publishes a post, and acts as the publisher, or makes it report a failure.
func (f *filler) publish(ctx context.Context, post archive.ID, failure string) error {
	p, err := f.Posts.Post(ctx, as(f.editor), post)
	if err != nil {
		return err
	}
	p, err = f.Posts.Publish(ctx, as(f.editor), post, p.LastUpdateTime)
	if err != nil {
		return err
	}
	if failure == "" {
		return f.Posts.PublishRequested(ctx, archive.PublishRequested{PostID: post}, nil)
	}
	for _, r := range []archive.WorkerReport{archive.Started, archive.Failed} {
		after, err := p.ReportPublish(r, failure, f.Posts.Now())
		if err != nil {
			return err
		}
		if err := f.Posts.Store.Change(ctx, p, after); err != nil {
			return err
		}
		p = after
	}
	return nil
}
