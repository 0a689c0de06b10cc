package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"stoa/internal/apptest"
)

func pick[T any](p *player, of ...T) T { return of[p.IntN(len(of))] }

// one returns one of the existing names, or occasionally one that may no longer exist.
func (p *player) one(kind string, there []string) string {
	if len(there) == 0 || p.IntN(15) == 0 {
		there = []string{kind}
		for name := range p.ids {
			if strings.HasPrefix(name, kind) {
				there = append(there, name)
			}
		}
	}
	slices.Sort(there)
	return there[p.IntN(len(there))]
}

// draw returns a random attempt.
func (p *player) draw(n int) attempt {
	as := pick(p, "oz", "oz", "ed", pick(p, everyone...))
	switch kind := p.IntN(100); {
	case kind < 8:
		return p.drawUser(as)
	case kind < 16 || len(p.Model.Categories) < 2:
		return p.drawCategory(as)
	case kind < 28 || len(p.Model.Collections) == 0:
		return p.drawCollection(n, as)
	case kind < 58 || len(p.Model.Posts) == 0:
		return p.drawPost(n, as)
	case kind < 88:
		return p.drawRecord(n, as)
	default:
		return p.drawPlace(n, as)
	}
}

func (p *player) drawUser(as string) attempt {
	who := pick(p, everyone...)
	if as == "oz" && p.IntN(2) == 0 || p.Model.Users[who].Level == "" {
		_, registered := p.Model.Users[who]
		return apptest.Try(who, `mutation { signIn { id } }`, nil, apptest.Either(p.Model.Users[who].Disabled, "FORBIDDEN USER_DISABLED"), func(m model, _ apptest.Answer) {
			if !registered {
				m.Users[who] = modelUser{Level: "READER"}
			}
		})
	}
	alone := true
	for name := range p.Model.Users {
		alone = alone && (name == "oz" || !p.Model.atLeast(name, "ADMIN"))
	}
	if alone && p.IntN(4) == 0 {
		who = "oz"
	}
	level, enabled := pick(p, modelLevels[:4]...), p.IntN(3) > 0
	refused := apptest.Either(p.Model.gate(as, "ADMIN") != "", p.Model.gate(as, "ADMIN"), who == "oz" && (level != "ADMIN" || !enabled), "PRECONDITION_FAILED LAST_ADMIN")
	if p.IntN(3) == 0 {
		if who == "oz" {
			enabled = false
			refused = apptest.Either(p.Model.gate(as, "ADMIN") != "", p.Model.gate(as, "ADMIN"), true, "PRECONDITION_FAILED LAST_ADMIN")
		}
		return apptest.Try(
			as,
			`mutation($u: ID!, $e: Boolean!) { setUserEnabled(id: $u, enabled: $e) { enabled } }`,
			vars{"u": p.id(who), "e": enabled},
			refused,
			func(m model, _ apptest.Answer) {
				m.Users[who] = modelUser{m.Users[who].Level, !enabled}
			},
		)
	}
	if who != "oz" && p.IntN(5) == 0 {
		level = "ADMIN"
	}
	return apptest.Try(
		as,
		`mutation($u: ID!, $l: AuthLevel!) { setUserLevel(id: $u, level: $l) { level } }`,
		vars{"u": p.id(who), "l": level},
		refused,
		func(m model, _ apptest.Answer) {
			m.Users[who] = modelUser{level, m.Users[who].Disabled}
		},
	)
}

func (p *player) drawCategory(as string) attempt {
	shown := pick(p, "Births", "births", "Deaths", "Census", "CENSUS", "Books")
	key, gate := strings.ToLower(shown), p.Model.gate(as, "EDITOR")
	_, taken := p.Model.Categories[key]
	old := strings.TrimPrefix(p.one("category ", slices.Sorted(maps.Keys(prefixed("category ", p.Model.Categories)))), "category ")
	_, there := p.Model.Categories[old]
	switch p.IntN(4) {
	case 0, 1:
		return apptest.Try(as, `mutation($n: String!) { createCategory(name: $n) { id } }`, vars{"n": shown}, apptest.Either(gate != "", gate, taken, "CONFLICT NAME_TAKEN"),
			func(m model, _ apptest.Answer) { m.Categories[key] = shown })
	case 2:
		at, stale := p.time("category " + old)
		return apptest.Try(
			as,
			`mutation($c: ID!, $n: String!, $t: DateTime!) { updateCategory(id: $c, name: $n, lastUpdateTime: $t) { name } }`,
			vars{
				"c": p.id("category " + old),
				"n": shown,
				"t": at,
			},
			apptest.Either(gate != "", gate, !there, "NOT_FOUND", stale != "", stale, taken && key != old, "CONFLICT NAME_TAKEN"),
			func(m model, _ apptest.Answer) { m.rename(old, key, shown) },
		)
	default:
		return apptest.Try(
			as,
			`mutation($c: ID!) { deleteCategory(id: $c) }`,
			vars{"c": p.id("category " + old)},
			apptest.Either(gate != "", gate, p.Model.inUse(old), "PRECONDITION_FAILED IN_USE"),
			func(m model, _ apptest.Answer) { delete(m.Categories, old) },
		)
	}
}

func prefixed[V any](prefix string, of map[string]V) map[string]V {
	all := map[string]V{}
	for name, v := range of {
		all[prefix+name] = v
	}
	return all
}

func (p *player) drawCollection(n int, as string) attempt {
	gate := p.Model.gate(as, "EDITOR")
	next := &modelCollection{Categories: []string{}, Privacy: p.IntN(8), Location: fmt.Sprint("shelf ", n)}
	keys := slices.Sorted(maps.Keys(p.Model.Categories))
	p.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	next.Categories = append(next.Categories, keys[:1+p.IntN(len(keys))]...)
	var ids []string
	for _, key := range next.Categories {
		ids = append(ids, p.id("category "+key))
	}
	unknown := p.IntN(10) == 0
	if unknown {
		ids = append(ids, missing)
	}
	name := p.one("col", slices.Collect(maps.Keys(p.Model.Collections)))
	c := p.Model.Collections[name]
	plan := census(ids...)
	plan["location"], plan["privacyLevel"], plan["citationTemplate"] = next.Location, next.Privacy, "{{Name}}, {{ Birth }}"
	switch kind := p.IntN(5); {
	case kind < 2 && len(p.Model.Collections) < 4 || len(p.Model.Collections) == 0:
		name := fmt.Sprint("col", n)
		plan["name"] = name
		return apptest.Try(
			as,
			createCollection,
			vars{"i": plan},
			apptest.Either(gate != "", gate, unknown, "BAD_REFERENCE"),
			func(m model, _ apptest.Answer) { m.Collections[name] = next },
		)
	case kind < 4:
		at, stale := p.time(name)
		plan["name"] = name
		return apptest.Try(
			as,
			updateCollection,
			vars{"c": p.id(name), "i": plan, "t": at},
			apptest.Either(gate != "", gate, c == nil, "NOT_FOUND", stale != "", stale, unknown, "BAD_REFERENCE"),
			func(m model, _ apptest.Answer) { m.Collections[name] = next },
		)
	default:
		return apptest.Try(
			as,
			`mutation($c: ID!) { deleteCollection(id: $c) }`,
			vars{"c": p.id(name)},
			apptest.Either(gate != "", gate, len(p.Model.postsOf(name)) > 0, "PRECONDITION_FAILED IN_USE"),
			func(m model, _ apptest.Answer) { delete(m.Collections, name) },
		)
	}
}

// drawPlace returns a change of the gazetteer, or of the settings.
func (p *player) drawPlace(n int, as string) attempt {
	gate := p.Model.gate(as, "ADMIN")
	id, word := fmt.Sprint(1+p.IntN(3)), pick(p, "alpha", "beta", "gamma")
	switch p.IntN(4) {
	case 0:
		place := modelPlace{fmt.Sprint(pick(p, "Plain", "Plaza", "Other"), n), p.IntN(3)}
		return apptest.Try(as, loadPlaces, vars{"r": []vars{{"id": id, "name": place.FullName, "fullName": place.FullName, "level": 1, "count": place.Count}}}, gate,
			func(m model, _ apptest.Answer) { m.Places[id] = place })
	case 1:
		return apptest.Try(as, `mutation($r: [PlaceWordInput!]!) { loadPlaceWords(rows: $r) }`, vars{"r": []vars{{"word": word, "placeIds": []string{id}}}}, gate,
			func(m model, _ apptest.Answer) { m.Words[word] = id })
	default:
		entries, names := []vars{}, []string{}
		for _, i := range p.Perm(3)[:p.IntN(4)] {
			names = append(names, fmt.Sprint("m", i))
			entries = append(entries, vars{"name": fmt.Sprint("m", i), "type": "STRING"})
		}
		v, stale := vars{"e": entries, "t": nil}, ""
		if p.at["settings"] != "" {
			v["t"], stale = p.time("settings")
		}
		return apptest.Try(as, updateSettings, v, apptest.Either(gate != "", gate, stale != "", stale), func(m model, _ apptest.Answer) { m.Settings.Entries = names })
	}
}
