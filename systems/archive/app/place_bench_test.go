package app_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/kit/engine/enginetest"
	"stoa/systems/archive/app"
)

// benchPlaces is the number of places that the benchmarks load, unless STOA_PLACES is set.
const benchPlaces = 20_000

// invention is a generated gazetteer: countries, states, counties, and towns with the
// remaining ids. As in reality, some prefixes of names are much more common than others.
type invention struct {
	random *rand.Rand
	names  []string
	file   bytes.Buffer
	// towns holds the full names of towns.
	towns []string
}

func invent(places int) *invention {
	v := &invention{random: rand.New(rand.NewPCG(3, 4))}
	v.file.WriteString("id,name,full_name,alt_names,types,located_in_id,level,country_id,count\n")
	id := 0
	add := func(level, in, country int, kind, inside string) (int, string) {
		id++
		name := v.name()
		full := name
		if inside != "" {
			full += ", " + inside
		}
		if country == 0 {
			country = id
		}
		text := ""
		if in > 0 {
			text = fmt.Sprint(in)
		}
		fmt.Fprintf(&v.file, "%d,%s,\"%s\",Old %s,%s,%s,%d,%d,%d\n", id, name, full, name, kind, text, level, country, v.random.IntN(1000))
		return id, full
	}
	for id < places {
		country, countryName := add(1, 0, 0, "Country", "")
		for s := 0; s < 20 && id < places; s++ {
			state, stateName := add(2, country, country, "State", countryName)
			for c := 0; c < 25 && id < places; c++ {
				county, countyName := add(3, state, country, "County", stateName)
				for t := 0; t < 50 && id < places; t++ {
					_, full := add(4, county, country, "Town", countyName)
					v.towns = append(v.towns, full)
				}
			}
		}
	}
	return v
}

var (
	beginnings = strings.Fields(
		"Sa San Santa Ma Mar Ba Bar Ca Car La Pa Ha Al Be Bel Ch Co Da De El Fa Ga Gr Ho In Ja Ka Ki Le Lo Mo Na New No Or Pe Po Ra Ro Sch Ta To Ul Va Wa Wil Yo Za",
	)
	middles = strings.Fields("ba da fe ga hel ing kar lan mar nor os per ran sel tor un ver wen xa yor zel cro dri glen hol")
	ends    = strings.Fields("ton ville burg field ford haven dorf stad by heim land mont polis wick ham ley")
)

func (v *invention) name() string {
	of := func(words []string) string { return words[v.random.IntN(len(words))] }
	// The first prefixes are the most common ones.
	first := beginnings[min(v.random.IntN(len(beginnings)), v.random.IntN(len(beginnings)))]
	return first + of(middles) + of(middles) + of(ends)
}

// generatedWorld returns a world with a generated gazetteer on disk.
func generatedWorld(b *testing.B) (*world, *invention) {
	b.Helper()
	eng := enginetest.Open(b, b.TempDir())
	w := &world{World: apptest.BenchOn(b, eng, app.System(app.Options{}), people)}
	w.is("READER", "r")
	v := invent(sizeFrom(b, "STOA_PLACES", benchPlaces))
	before, began := processor(b), time.Now()
	report, err := app.System(app.Options{}).Load(b.Context(), w.Host, bytes.NewReader(v.file.Bytes()), func(int) {})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("loaded in %v, %v of the processor: %s", time.Since(began).Round(time.Millisecond), (processor(b) - before).Round(time.Millisecond), report)
	w.Does("oz", savePlaces, vars{"i": placeSettings()})
	return w, v
}

// BenchmarkPlacePrefix types names of places, letter by letter. It reports the median and
// the 99th percentile of the response times, with an empty cache at first.
func BenchmarkPlacePrefix(b *testing.B) {
	w, v := generatedWorld(b)
	var times []time.Duration
	for b.Loop() {
		name := v.towns[v.random.IntN(len(v.towns))]
		for n := 2; n <= 6; n++ {
			began := time.Now()
			w.Does("", `query($p: String!) { places(prefix: $p) { id fullName } }`, vars{"p": name[:n]})
			times = append(times, time.Since(began))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "max-ms")
}

// BenchmarkStandardize standardises the names of a thousand different places.
func BenchmarkStandardize(b *testing.B) {
	w, v := generatedWorld(b)
	for b.Loop() {
		for range 1_000 {
			parts := strings.Split(v.towns[v.random.IntN(len(v.towns))], ", ")
			text := [...]string{
				strings.Join(parts, ", "), parts[0] + ", " + parts[1] + " Co, " + parts[2], "near " + parts[0] + ", " + parts[2], parts[0] + ", " + parts[3], parts[1] + " County",
			}[v.random.IntN(5)]
			w.Does("r", `query($t: String!) { standardizePlace(text: $t) { fullName exact } }`, vars{"t": text})
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/1000")
}
