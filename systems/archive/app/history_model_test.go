package app_test

import (
	"maps"
	"slices"
	"strings"

	"stoa/internal/apptest"
)

// model is the expected stored state: users and collections by name, categories by folded
// name, posts by name, places by id.
type model struct {
	Users       map[string]modelUser
	Categories  map[string]string
	Collections map[string]*modelCollection
	Posts       map[string]*modelPost
	Settings    *modelSettings
	Places      map[string]modelPlace
	// Words maps words to the places that they name.
	Words map[string]string
}

type modelUser struct {
	Level    string
	Disabled bool
}

// modelSettings are the metadata fields of posts, in order.
type modelSettings struct{ Entries []string }

type modelCollection struct {
	// Categories are folded names.
	Categories []string
	Privacy    int
	Location   string
}

type modelPost struct {
	Collection, Author string
	Status, Requested  string
	Records, Images    string
	Key                string
	Metadata           map[string]string
	Rows               []modelRow
	Households         map[string][]string
}

// modelRow is the data of a record, which is identified by its value of Name.
type modelRow map[string]string

type modelPlace struct {
	FullName string
	Count    int
}

// attempt is a request with its expected result.
type attempt = apptest.Attempt[model]

var modelLevels = []string{"GUEST", "READER", "CONTRIBUTOR", "EDITOR", "ADMIN"}

// atLeast reports whether a user is enabled and has at least the given level.
func (m model) atLeast(who, level string) bool {
	u, registered := m.Users[who]
	return registered && !u.Disabled && slices.Index(modelLevels, u.Level) >= slices.Index(modelLevels, level)
}

// gate returns the error of a user who lacks the required level, or "".
func (m model) gate(who, level string) string {
	u, registered := m.Users[who]
	return apptest.Either(!registered, "FORBIDDEN NOT_REGISTERED", u.Disabled, "FORBIDDEN USER_DISABLED", !m.atLeast(who, level), "FORBIDDEN")
}

const outOfOrder = "PRECONDITION_FAILED BAD_TRANSITION"

// open reports whether the content of a post may change.
func (x *modelPost) open() bool { return x.Status == "DRAFT" || x.Status == "ERROR" }

// editable reports whether single records of a post may change.
func (x *modelPost) editable() bool { return x.open() && x.Records != "LOADING" }

func (x *modelPost) row(name string) modelRow {
	for _, r := range x.Rows {
		if r["Name"] == name {
			return r
		}
	}
	return nil
}

// householdOf returns the number of the household that lists a record.
func (x *modelPost) householdOf(name string) string {
	for number, names := range x.Households {
		if slices.Contains(names, name) {
			return number
		}
	}
	return ""
}

// drop removes a record from the post and its household.
func (x *modelPost) drop(name string) {
	x.Rows = slices.DeleteFunc(x.Rows, func(r modelRow) bool { return r["Name"] == name })
	for number, names := range x.Households {
		if x.Households[number] = slices.DeleteFunc(names, func(other string) bool { return other == name }); len(x.Households[number]) == 0 {
			delete(x.Households, number)
		}
	}
}

// fill replaces the content of a post by the rows of a file.
func (x *modelPost) fill(rows []modelRow) {
	x.Rows, x.Households, x.Records = rows, map[string][]string{}, "READY"
	for _, r := range rows {
		if n := r["Household"]; n != "" {
			x.Households[n] = append(x.Households[n], r["Name"])
		}
	}
}

// post returns the post of a record.
func (m model) post(record string) (string, *modelPost) {
	for name, x := range m.Posts {
		if x.row(record) != nil {
			return name, x
		}
	}
	return "", nil
}

// rename changes the name of a category.
func (m model) rename(from, to, shown string) {
	delete(m.Categories, from)
	m.Categories[to] = shown
	for _, c := range m.Collections {
		for i := range c.Categories {
			if c.Categories[i] == from {
				c.Categories[i] = to
			}
		}
	}
}

func (m model) inUse(category string) bool {
	for _, c := range m.Collections {
		if slices.Contains(c.Categories, category) {
			return true
		}
	}
	return false
}

func (m model) postsOf(collection string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(m.Posts)) {
		if m.Posts[name].Collection == collection {
			names = append(names, name)
		}
	}
	return names
}

// standard returns the full name of the place named by a word.
func (m model) standard(word string) string { return m.Places[m.Words[strings.ToLower(word)]].FullName }

// completed returns the data of a record with its standard forms.
func (m model) completed(data vars) modelRow {
	r := modelRow{}
	for header, value := range data {
		r[header] = value.(string)
	}
	r["birthDate_std"], r["birthPlace_std"] = r["Birth"], m.standard(r["Place"])
	return r
}

// finds returns the records of a collection that contain a word and that a user can find.
func (m model) finds(who, collection, word string, byID func(names []string)) (names []string) {
	c := m.Collections[collection]
	guest := !m.atLeast(who, "READER")
	if guest && c.Privacy&(2|4) != 0 {
		return nil
	}
	posts := m.postsOf(collection)
	byID(posts)
	for _, post := range posts {
		x := m.Posts[post]
		if x.Status != "PUBLISHED" && !m.atLeast(who, "CONTRIBUTOR") {
			continue
		}
		for _, r := range x.Rows {
			for header, value := range r {
				if strings.Contains(strings.ToLower(value), word) && !(guest && c.Privacy&1 != 0 && header == "Image") {
					names = append(names, r["Name"])
					break
				}
			}
		}
	}
	return names
}
