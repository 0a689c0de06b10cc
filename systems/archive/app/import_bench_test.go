package app_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stoa/internal/apptest"
	"stoa/internal/host"
	"stoa/internal/kit/engine"
	"stoa/internal/media/blob"
	"stoa/systems/archive/app"
)

// importRows is the number of rows that BenchmarkImport loads, unless STOA_IMPORT_ROWS is
// set. A million takes a minute or two, and 2 GB of disk.
const importRows = 20_000

// BenchmarkImport loads a file of 20 columns, as after updatePost with a recordsKey, into
// the engine on disk. It reports rows per second, CPU seconds per 1,000 rows including the
// engine's background work, and the peak resident memory of the process.
func BenchmarkImport(b *testing.B) {
	rows := sizeFrom(b, "STOA_IMPORT_ROWS", importRows)
	for b.Loop() {
		b.StopTimer()
		benchImport(b, rows)
		b.StartTimer()
	}
}

// sizeFrom returns a size set by the environment, or the default.
func sizeFrom(b *testing.B, variable string, otherwise int) int {
	b.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s=%s is no size", variable, text)
	}
	return n
}

func benchImport(b *testing.B, rows int) {
	eng, err := engine.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := eng.Close(); err != nil {
			b.Error(err)
		}
	}()
	media, err := blob.OpenDir(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	w := &world{World: apptest.BenchOn(b, eng, app.System(app.Options{}), func(w *apptest.World, c *host.Config) {
		people(w, c)
		c.Media = media
	})}
	w.is("ADMIN")
	w.gazetteer()
	const key = "uploads/00000000-0000-4000-8000-000000000001.csv"
	if _, err := media.Put(b.Context(), "archive/"+key, &censusFile{rows: rows, random: rand.New(rand.NewPCG(1, 2))}); err != nil {
		b.Fatal(err)
	}
	collection := w.collection(wideCensus(w.category("Births")))
	resetPeak(b)
	before, began := processor(b), time.Now()
	b.StartTimer()
	post := w.post(collection, vars{"recordsKey": key})
	w.Settle()
	b.StopTimer()
	took, spent := time.Since(began), processor(b)-before
	w.Asked("oz", `query($i: ID!) { post(id: $i) { recordCount recordsStatus recordsError } }`, vars{"i": post}, "post",
		fmt.Sprintf(`{"recordCount":%d,"recordsError":null,"recordsStatus":"READY"}`, rows))
	b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
	b.ReportMetric(spent.Seconds()/float64(rows)*1000, "cpu-s/krow")
	b.ReportMetric(peak(b), "peak-MB")
}

// wideHeaders lists 20 columns.
var wideHeaders = []string{
	"Name", "Household", "Birth", "Place", "Image", "Surname", "Sex", "Age", "Relation", "Occupation",
	"Father", "Mother", "Spouse", "Street", "Page", "Line", "Enumerator", "Religion", "Literate", "Remarks",
}

func wideCensus(categories ...string) vars {
	plan, fields := census(categories...), []vars{}
	for _, h := range wideHeaders {
		fields = append(fields, vars{"header": h})
	}
	plan["fields"] = fields
	return plan
}

// censusFile is a file of typical transcribed rows, generated while it is read.
type censusFile struct {
	rows, made int
	random     *rand.Rand
	buffer     bytes.Buffer
}

func (f *censusFile) Read(p []byte) (int, error) {
	if f.made == 0 {
		f.buffer.WriteString(strings.Join(wideHeaders, ",") + "\n")
	}
	for f.buffer.Len() < len(p) && f.made < f.rows {
		f.row(f.made)
		f.made++
	}
	n, err := f.buffer.Read(p)
	if n > 0 {
		err = nil
	}
	return n, err
}

var (
	givenNames  = strings.Fields("Ada Anna Carl Clara Emil Emma Frida Georg Hans Ida Jakob Johanna Karl Lina Marie Otto Paul Rosa Wilhelm Zoe")
	surnames    = strings.Fields("Adler Bauer Carver Dorn Ekberg Fischer Graf Hale Irving Jansen Keller Lang Moser Nash Olsen Peters Quandt Roth Sommer Thorne")
	occupations = strings.Fields("baker carpenter clerk farmer farmhand fisher laborer merchant miller miner sailor seamstress servant smith tailor teacher weaver widow")
	births      = []string{"%d", "abt %d", "4 May %d", "%d-03-01", "June %d"}
	birthPlaces = []string{"Autauga Co, Ala", "Alabama", "Nowhere, Alabama", "Paris, Texas", "Texas", "Paris, France", "", "Xyz"}
)

func (f *censusFile) row(i int) {
	of := func(words []string) string { return words[f.random.IntN(len(words))] }
	surname, sex := of(surnames), "MF"[f.random.IntN(2)]
	given := of(givenNames)
	fmt.Fprintf(&f.buffer, "%s %s,%d,"+of(births)+",\"%s\",images/%06d.jpg,%s,%c,%d,%s,%s,%s %s,%s %s,%s,%d Main Street,%d,%d,Enumerator %d,Lutheran,yes,\n",
		given, surname, i/8, 1780+f.random.IntN(110), of(birthPlaces), i/40, surname, sex, f.random.IntN(90), "member", of(occupations),
		of(givenNames), surname, of(givenNames), of(surnames), of(givenNames), f.random.IntN(400), i/40, i%40, f.random.IntN(50))
}

func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak resets the peak resident memory if the system supports it.
func resetPeak(b *testing.B) {
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Logf("the peak is that of the whole run: %v", err)
	}
}

// peak returns the peak resident memory in megabytes, or 0 if the system does not report
// it.
func peak(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, is := strings.CutPrefix(line, "VmHWM:"); is {
			kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kb / 1024
		}
	}
	return 0
}

var _ io.Reader = (*censusFile)(nil)
