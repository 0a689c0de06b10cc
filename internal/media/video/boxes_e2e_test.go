//go:build e2e

package video

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stoa/internal/kit/hostile"
)

// box returns a box of a video file, and list one that starts with its version and flags.
func box(kind string, contents ...[]byte) []byte {
	content := bytes.Join(contents, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

func list(kind string, contents ...[]byte) []byte {
	return box(kind, append([][]byte{make([]byte, 4)}, contents...)...)
}

func numbers(all ...uint32) (data []byte) {
	for _, n := range all {
		data = binary.BigEndian.AppendUint32(data, n)
	}
	return data
}

// track returns a track with the given number of frames, each with the given duration in
// seconds.
func track(frames, seconds uint32) []byte {
	entry := box(
		"jpeg",
		make([]byte, 6),
		[]byte{0, 1},
		make([]byte, 16),
		[]byte{640 >> 8, 640 & 0xff, 360 >> 8, 360 & 0xff, 0, 72, 0, 0, 0, 72, 0, 0, 0, 0, 0, 0, 0, 1},
		make([]byte, 32),
		[]byte{0, 24, 0xff, 0xff},
	)
	samples := box("stbl", list("stsd", numbers(1), entry), list("stts", numbers(1, frames, seconds)),
		list("stsc", numbers(1, 1, frames, 1)), list("stsz", numbers(100, frames)), list("stco", numbers(1, 2000)))
	media := box("mdia", list("mdhd", numbers(0, 0, 1, frames*seconds, 0)), list("hdlr", numbers(0), []byte("vide"), make([]byte, 13)),
		box("minf", list("vmhd", make([]byte, 8)), box("dinf", list("dref", numbers(1), list("url "))), samples))
	return box("trak", list("tkhd", numbers(0, 0, 1, 0, frames*seconds), make([]byte, 60)), media)
}

// filmWith returns a video file with the given tracks.
func filmWith(tracks ...[]byte) []byte {
	header := list("mvhd", numbers(0, 0, 1, 1, 0x10000), make([]byte, 80))
	return bytes.Join([][]byte{
		box("ftyp", []byte("isom\x00\x00\x02\x00isommp41")), box("moov", append([][]byte{header}, tracks...)...), box("mdat", bytes.Repeat([]byte("\xff\xd8\xff\xd9"), 5000)),
	}, nil)
}

// hostileFilms returns files that declare much memory or time.
func hostileFilms() map[string][]byte {
	nested := box("moov")
	for range 12_000 {
		nested = box("moov", nested)
	}
	return map[string][]byte{
		"16 million frames":   filmWith(track(1<<24, 1)),
		"30 times 10 million": filmWith(bytes.Repeat(track(10<<20, 1), 30)),
		"2 billion frames":    filmWith(track(1<<31-1, 1)),
		"frames of days":      filmWith(track(10, 200_000)),
		"many tracks":         filmWith(bytes.Repeat(track(1, 1), 200)),
		"nested boxes":        append(box("ftyp", []byte("isom\x00\x00\x02\x00isommp41")), nested[:hostile.Size/2]...),
		"empty boxes":         append(box("ftyp", []byte("isom\x00\x00\x02\x00isommp41")), bytes.Repeat(box("free"), hostile.Size/8-10)...),
		"a box without end":   append(box("ftyp", []byte("isom\x00\x00\x02\x00isommp41")), "\x00\x00\x00\x01moov\x40\x00\x00\x00\x00\x00\x00\x00"...),
	}
}

// children returns the CPU time of terminated child processes, and the peak memory of one
// in MiB.
func children(t testing.TB) (time.Duration, int64) {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), used.Maxrss >> 10
}

// probeFile probes a video and returns the CPU time used.
func probeFile(t testing.TB, film []byte) time.Duration {
	t.Helper()
	file := filepath.Join(t.TempDir(), "film")
	if err := os.WriteFile(file, film, 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := children(t)
	_, _ = Find(slog.New(slog.DiscardHandler)).probe(t.Context(), file)
	after, memory := children(t)
	if memory > probeMemory>>20+100 { // plus the size of its code
		t.Errorf("ffprobe takes %d MiB", memory)
	}
	return after - before
}

func TestProbingIsCheap(t *testing.T) {
	for name, film := range hostileFilms() {
		if took := probeFile(t, film); took > longestProbe {
			t.Errorf("%s: probing takes %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

// longestProbe is the maximum CPU time of ffprobe, most of which is its startup, or filling
// the memory it is allowed.
const longestProbe = 3 * time.Second

// FuzzFilms searches for videos that ffprobe is slow to probe.
func FuzzFilms(f *testing.F) {
	for _, film := range hostileFilms() {
		f.Add(film)
	}
	f.Fuzz(func(t *testing.T, film []byte) {
		if len(film) > hostile.Size {
			return
		}
		if took := probeFile(t, film); took > longestProbe {
			t.Errorf("a film of %d bytes takes %v", len(film), took)
		}
	})
}

// A small video that claims to last for days does not delay others for that long.
func TestFilmOfDays(t *testing.T) {
	store := newStore(t)
	if _, err := store.Put(t.Context(), source, strings.NewReader(string(clip(t, "64x36", false, "-vf", "setpts=PTS*100000", "-fps_mode", "passthrough")))); err != nil {
		t.Fatal(err)
	}
	tr := Find(slog.New(slog.DiscardHandler))
	tr.Timeout, tr.TempDir = 2*time.Second, t.TempDir()
	if _, err := tr.Stream(t.Context(), store, owner, source, playlist); err == nil || err.Error() != string(TooSlow) {
		t.Errorf("got %v", err)
	}
	tr.wantTidy(t)
}
