package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"stoa/internal/apptest"
)

const updatePost = `mutation($i: ID!, $c: UpdatePostInput!, $t: DateTime!) { updatePost(id: $i, input: $c, lastUpdateTime: $t) { name recordsKey recordsStatus metadata } }`

// drawPost returns a random attempt on a whole post.
func (p *player) drawPost(n int, as string) attempt {
	name := p.one("post", slices.Collect(maps.Keys(p.Model.Posts)))
	x, gate := p.Model.Posts[name], p.Model.gate(as, "EDITOR")
	v := vars{"i": p.id(name), "p": p.id(name)}
	if len(p.Model.Posts) == 0 || len(p.Model.Posts) < 4 && p.IntN(6) == 0 {
		return p.createPost(n, as)
	}
	if x == nil {
		x = &modelPost{}
	}
	gone := p.Model.Posts[name] == nil
	at, stale := p.time(name)
	switch p.IntN(14) {
	case 0, 1, 2, 3:
		v["t"] = at
		return apptest.Try(
			as,
			moving("publishPost"),
			used(v, "it"),
			apptest.Either(
				gate != "",
				gate,
				gone,
				"NOT_FOUND",
				x.Status != "TO_PUBLISH" && !x.open(),
				outOfOrder,
				stale != "",
				stale,
				x.Status == "TO_PUBLISH",
				"",
				x.Records != "READY" || x.Images != "READY",
				outOfOrder,
				len(x.Rows) == 0,
				"PRECONDITION_FAILED NO_RECORDS",
			),
			func(m model, _ apptest.Answer) {
				m.Posts[name].Status, m.Posts[name].Requested = "TO_PUBLISH", "Published"
				if !p.byHand {
					m.Posts[name].Status = "PUBLISHED"
				}
			},
		)
	case 4, 5:
		v["t"] = at
		return apptest.Try(
			as,
			moving("unpublishPost"),
			used(v, "it"),
			apptest.Either(gate != "", gate, gone, "NOT_FOUND", x.Status != "TO_UNPUBLISH" && x.Status != "PUBLISHED", outOfOrder, stale != "", stale,
				x.Status == "TO_UNPUBLISH", "", x.Records != "READY" || x.Images != "READY", outOfOrder),
			func(m model, _ apptest.Answer) {
				m.Posts[name].Status, m.Posts[name].Requested = "TO_UNPUBLISH", "Draft"
				if !p.byHand {
					m.Posts[name].Status = "DRAFT"
				}
			},
		)
	case 6, 7, 8:
		return p.report(name, x, gone)
	case 9:
		return p.describe(n, as, name, x, gone, at, stale)
	case 10, 11:
		return p.upload(n, as, name, x, gone, at, stale)
	case 12:
		return p.importFile(n, as, name, x, gone)
	default:
		refused := apptest.Either(gate != "", gate, gone, "NOT_FOUND", !x.open(), outOfOrder, p.running(name, x.Records) || p.running(name, x.Images), outOfOrder)
		return apptest.Try(as, deletePost, used(v, "p"), refused, func(m model, a apptest.Answer) {
			if p.hidden(p.id(name))["deleting"] == true { // it died, and is repeated at once
				p.Refused("PRECONDITION_FAILED DELETING", "oz", moving("publishPost"), vars{"i": p.id(name), "t": at})
				p.Asked(as, deletePost, used(v, "p"), "deletePost", "true")
			}
			delete(m.Posts, name)
		})
	}
}

// used returns the variables with the given one-letter names.
func used(v vars, names string) vars {
	some := vars{}
	for _, r := range names {
		some[string(r)] = v[string(r)]
	}
	return some
}

// running reports whether a load is requested or in progress.
func (p *player) running(name, load string) bool {
	return load == "TO_LOAD" || load == "LOADING" && !p.stuck(name)
}

func (p *player) createPost(n int, as string) attempt {
	collection := p.one("col", slices.Collect(maps.Keys(p.Model.Collections)))
	metadata, unknown := p.metadata(n)
	name, gate := fmt.Sprint("post", n), p.Model.gate(as, "CONTRIBUTOR")
	return apptest.Try(as, createPost, vars{"i": vars{"name": name, "collectionId": p.id(collection), "metadata": metadata}},
		apptest.Either(gate != "", gate, p.Model.Collections[collection] == nil, "BAD_REFERENCE", unknown, "BAD_INPUT UNKNOWN_METADATA"), func(m model, _ apptest.Answer) {
			m.Posts[name] = &modelPost{
				Collection: collection, Author: as, Status: "DRAFT", Records: "READY", Images: "READY", Metadata: metadata, Rows: []modelRow{}, Households: map[string][]string{},
			}
		})
}

// metadata returns random metadata of a post, which the settings may not define.
func (p *player) metadata(n int) (m map[string]string, unknown bool) {
	m = map[string]string{}
	for i := range 3 {
		if name := fmt.Sprint("m", i); slices.Contains(p.Model.Settings.Entries, name) && p.IntN(2) == 0 || p.IntN(30) == 0 {
			m[name] = fmt.Sprint("x", n)
			unknown = unknown || !slices.Contains(p.Model.Settings.Entries, name)
		}
	}
	return m, unknown
}

func (p *player) describe(n int, as, name string, x *modelPost, gone bool, at, stale string) attempt {
	metadata, unknown := p.metadata(n)
	gate := p.Model.gate(as, "EDITOR")
	return apptest.Try(
		as,
		updatePost,
		vars{"i": p.id(name), "c": vars{"metadata": metadata}, "t": at},
		apptest.Either(
			gate != "",
			gate,
			gone,
			"NOT_FOUND",
			stale != "",
			stale,
			unknown,
			"BAD_INPUT UNKNOWN_METADATA",
		),
		func(m model, _ apptest.Answer) { m.Posts[name].Metadata = metadata },
	)
}

// upload sets a file of records to load, or archives of images if a worker loads them.
func (p *player) upload(n int, as, name string, x *modelPost, gone bool, at, stale string) attempt {
	gate := p.Model.gate(as, "EDITOR")
	refused := apptest.Either(gate != "", gate, gone, "NOT_FOUND", stale != "", stale)
	if p.byHand && p.IntN(3) == 0 {
		keys := []string{fmt.Sprintf("uploads/00000000-0000-4000-8000-%012d.zip", n)}
		return apptest.Try(
			as,
			updatePost,
			vars{"i": p.id(name), "c": vars{"imagesKeys": keys}, "t": at},
			apptest.Either(refused != "", refused, !x.open() || x.Images == "LOADING", outOfOrder),
			func(m model, _ apptest.Answer) { m.Posts[name].Images = "TO_LOAD" },
		)
	}
	key, rows, bad := "", []modelRow(nil), false
	switch kind := p.IntN(5); {
	case kind == 0:
	case p.byHand:
		key = fmt.Sprintf("uploads/00000000-0000-4000-8000-%012d.csv", n)
	default:
		var csv string
		csv, rows, bad = p.file(n)
		key = p.uploads("text/csv", []byte(csv))
	}
	same := x.Key == key
	v := vars{"i": p.id(name), "c": vars{"recordsKey": key}, "t": at}
	if key == "" {
		v["c"] = vars{"recordsKey": nil}
	}
	return apptest.Try(as, updatePost, v, apptest.Either(refused != "", refused, !same && (!x.open() || x.Records == "LOADING"), outOfOrder), func(m model, _ apptest.Answer) {
		if same {
			return
		}
		x := m.Posts[name]
		x.Key, x.Records = key, "READY"
		switch {
		case key == "":
		case p.byHand:
			x.Records = "TO_LOAD"
		case bad:
			x.Records = "ERROR"
		default:
			x.fill(rows)
		}
	})
}

// file returns a random small file, which occasionally is invalid.
func (p *player) file(n int) (csv string, rows []modelRow, bad bool) {
	bad = p.IntN(6) == 0
	var b strings.Builder
	b.WriteString(apptest.Either(bad, "Name,Household,Birth,Colour,Image\n", true, header))
	for i := range 1 + p.IntN(5) {
		data := p.data(fmt.Sprintf("rec%d.%d %s", n, i, pick(p, "Ana", "Ben")))
		data["Household"], data["Image"] = pick(p, "", "7", "8"), fmt.Sprint(n, ".jpg")
		rows = append(rows, p.Model.completed(data))
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s\n", data["Name"], data["Household"], data["Birth"], data["Place"], data["Image"])
	}
	return b.String(), rows, bad
}

// importFile replaces the content of a post within a request. After a store failure, it is
// repeated as soon as possible.
func (p *player) importFile(n int, as, name string, x *modelPost, gone bool) attempt {
	csv, rows, bad := p.file(n)
	v := vars{"p": p.id(name), "c": csv}
	gate := p.Model.gate(as, "CONTRIBUTOR")
	return apptest.Try(
		as,
		importRecords,
		v,
		apptest.Either(gate != "", gate, gone, "NOT_FOUND", x.Author != as && !p.Model.atLeast(as, "EDITOR"), "FORBIDDEN", !x.open(), outOfOrder,
			bad, "BAD_INPUT HEADERS", p.running(name, x.Records), outOfOrder),
		func(m model, a apptest.Answer) {
			p.repeat(name, a, as, importRecords, v)
			m.Posts[name].fill(rows)
		},
	)
}

// report returns a report by a worker, or by a user who is not one.
func (p *player) report(name string, x *modelPost, gone bool) attempt {
	as := pick(p, "hand", "hand", "hand", "hand", "hand", "hand", pick(p, everyone...))
	refused := apptest.Either(p.Model.Users[as].Disabled, "FORBIDDEN USER_DISABLED", as != "hand", "FORBIDDEN NOT_WORKER", gone, "NOT_FOUND")
	said := pick(p, "STARTED", "COMPLETED", "COMPLETED", "FAILED")
	v := vars{"p": p.id(name), "r": said}
	kind := p.IntN(4)
	if !x.open() && x.Status != "PUBLISHED" && p.IntN(4) > 0 {
		kind = 3
	}
	if kind < 2 {
		query, status := reportRecords, x.Records
		if kind == 1 {
			query, status = reportImages, x.Images
		}
		to := map[string]string{"STARTED": "LOADING", "COMPLETED": "READY", "FAILED": "ERROR"}[said]
		possible := status == to || said == "STARTED" && (status == "TO_LOAD" || status == "ERROR") || said != "STARTED" && status == "LOADING"
		return apptest.Try(as, query, v, apptest.Either(refused != "", refused, !possible, outOfOrder), func(m model, _ apptest.Answer) {
			if kind == 0 {
				m.Posts[name].Records = to
			} else {
				m.Posts[name].Images = to
			}
		})
	}
	begun, done := "PUBLISHING", "PUBLISHED"
	if x.Requested == "Draft" {
		begun, done = "UNPUBLISHING", "DRAFT"
	}
	to := map[string]string{"STARTED": begun, "COMPLETED": done, "FAILED": "ERROR"}[said]
	asked := x.Status == "TO_PUBLISH" || x.Status == "TO_UNPUBLISH" || x.Status == "ERROR" && x.Requested != ""
	possible := x.Status == to || said == "STARTED" && asked || said != "STARTED" && x.Status == begun
	return apptest.Try(as, reportPublish, v, apptest.Either(refused != "", refused, !possible, outOfOrder), func(m model, _ apptest.Answer) { m.Posts[name].Status = to })
}
