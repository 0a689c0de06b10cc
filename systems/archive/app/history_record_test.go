package app_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"stoa/internal/apptest"
)

const deleteRecords = `mutation($p: ID!) { deleteRecordsOfPost(postId: $p) }`

// data returns random data of a record.
func (p *player) data(name string) vars {
	return vars{"Name": name, "Birth": pick(p, "1850", "1851", "1900"), "Place": pick(p, "", "Alpha", "beta", "GAMMA")}
}

// repeat repeats a replacement of all records that a store failure interrupted: at once if
// the post is marked as failed, after half an hour if marking it failed as well.
func (p *player) repeat(post string, a apptest.Answer, as, query string, v vars) {
	p.T.Helper()
	if a.Refusal() != "INTERNAL" {
		return
	}
	d := p.Does("oz", `query($p: ID!) { post(id: $p) { recordsStatus lastUpdateTime } }`, vars{"p": p.id(post)})
	p.note(post, p.id(post), d.Text("post.lastUpdateTime"))
	switch status := d.Text("post.recordsStatus"); {
	case status == "READY": // all of it has happened, or nothing
		return
	case status == "ERROR":
		p.Whole()
	case !p.stuck(post):
		p.Refused(outOfOrder, as, query, v)
		p.Advance(31 * time.Minute)
	}
	p.Does(as, query, v)
}

// drawRecord returns a random attempt on records and households.
func (p *player) drawRecord(n int, as string) attempt {
	name := p.one("post", slices.Collect(maps.Keys(p.Model.Posts)))
	x, gate, gone := p.Model.Posts[name], p.Model.gate(as, "EDITOR"), p.Model.Posts[name] == nil
	if gone {
		x = &modelPost{}
	}
	if len(x.Rows) == 0 && p.IntN(2) == 0 {
		return p.importFile(n, as, name, x, gone)
	}
	var rows []string
	for _, r := range x.Rows {
		rows = append(rows, r["Name"])
	}
	record := p.one("rec", slices.Clone(rows))
	number := pick(p, "7", "8", "9")
	v := vars{"p": p.id(name), "n": number, "r": p.id(record)}
	switch kind := p.IntN(12); {
	case kind < 3 && len(rows) < 8:
		made := p.data(fmt.Sprintf("rec%d %s", n, pick(p, "Ana", "Ben")))
		v["d"] = made
		return apptest.Try(as, createRecord, used(v, "pd"), apptest.Either(gate != "", gate, gone, "NOT_FOUND", !x.editable(), outOfOrder), func(m model, _ apptest.Answer) {
			m.Posts[name].Rows = append(m.Posts[name].Rows, m.completed(made))
		})
	case kind < 6:
		return p.editRecord(as, record)
	case kind < 8:
		_, of := p.Model.post(record)
		return apptest.Try(
			as,
			deleteRecord,
			used(v, "r"),
			apptest.Either(gate != "", gate, of == nil, "", of != nil && !of.editable(), outOfOrder),
			func(m model, _ apptest.Answer) {
				if _, of := m.post(record); of != nil {
					of.drop(record)
				}
			},
		)
	case kind < 10:
		return p.setHousehold(as, name, x, number, rows, gone)
	case kind == 10:
		return apptest.Try(
			as,
			deleteHousehold,
			used(v, "pn"),
			apptest.Either(gate != "", gate, gone || x.Households[number] == nil, "", !x.editable(), outOfOrder),
			func(m model, _ apptest.Answer) {
				if of := m.Posts[name]; of != nil {
					delete(of.Households, number)
				}
			},
		)
	case p.IntN(2) == 0:
		return apptest.Try(
			as,
			deleteRecords,
			used(v, "p"),
			apptest.Either(gate != "", gate, gone, "NOT_FOUND", !x.open() || p.running(name, x.Records), outOfOrder),
			func(m model, a apptest.Answer) {
				p.repeat(name, a, as, deleteRecords, used(v, "p"))
				m.Posts[name].fill([]modelRow{})
			},
		)
	default:
		return p.importFile(n, as, name, x, gone)
	}
}

func (p *player) editRecord(as, record string) attempt {
	name, of := p.Model.post(record)
	if of == nil {
		of = &modelPost{}
	}
	at, stale := p.time(record)
	data, gate := p.data(record), p.Model.gate(as, "EDITOR")
	v := vars{"r": p.id(record), "d": data, "t": at, "p": nil}
	elsewhere := p.IntN(12) == 0
	if elsewhere {
		v["p"] = missing
	}
	return apptest.Try(
		as,
		updateRecord,
		v,
		apptest.Either(gate != "", gate, name == "", "NOT_FOUND", elsewhere, "BAD_INPUT OTHER_POST", !of.editable(), outOfOrder, stale != "", stale),
		func(m model, _ apptest.Answer) {
			for i, r := range m.Posts[name].Rows {
				if r["Name"] == record {
					m.Posts[name].Rows[i] = m.completed(data)
				}
			}
		},
	)
}

// setHousehold lists some records of a post, and occasionally one of another.
func (p *player) setHousehold(as, name string, x *modelPost, number string, rows []string, gone bool) attempt {
	p.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	names := slices.Clone(rows[:min(len(rows), 1+p.IntN(3))])
	if p.IntN(10) == 0 {
		if other := p.one("rec", nil); !slices.Contains(names, other) {
			names = append(names, other)
		}
	}
	gate, ids, foreign, taken := p.Model.gate(as, "EDITOR"), []string{}, false, false
	for _, record := range names {
		ids = append(ids, p.id(record))
		foreign = foreign || x.row(record) == nil
		other := x.householdOf(record)
		taken = taken || other != "" && other != number
	}
	return apptest.Try(
		as,
		setHousehold,
		vars{"p": p.id(name), "n": number, "r": ids},
		apptest.Either(gate != "", gate, len(names) == 0, "BAD_INPUT EMPTY_HOUSEHOLD", gone, "NOT_FOUND",
			!x.editable(), outOfOrder, foreign, "BAD_REFERENCE", taken, "CONFLICT IN_HOUSEHOLD"),
		func(m model, _ apptest.Answer) { m.Posts[name].Households[number] = names },
	)
}
