package video

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
	"stoa/internal/media/video/videotest"
)

const (
	owner    = "us-east-1:u"
	source   = "us-east-1:u/post/p/video-original.mov"
	playlist = "us-east-1:u/post/p/video-hls/video.m3u8"
)

// recording is a store that records the order of objects.
type recording struct {
	*blob.Dir
	puts []string
}

func (r *recording) Put(ctx context.Context, key string, body io.Reader) (int64, error) {
	r.puts = append(r.puts, key)
	return r.Dir.Put(ctx, key, body)
}

func newStore(t *testing.T) *recording {
	dir, err := blob.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Put(t.Context(), source, strings.NewReader("a film")); err != nil {
		t.Fatal(err)
	}
	return &recording{Dir: dir}
}

const found = `echo '{"streams":[{"codec_type":"video","width":640,"height":360},{"codec_type":"audio"}]}'`

// withPrograms returns a transcoder whose programs are shell scripts.
func withPrograms(t *testing.T, ffprobe, ffmpeg string) *Transcoder {
	dir := t.TempDir()
	program := func(name, script string) string {
		file := filepath.Join(dir, name)
		videotest.Program(t, file, script)
		return file
	}
	return &Transcoder{
		Timeout: time.Minute, TempDir: t.TempDir(), Log: slog.New(slog.DiscardHandler), turn: semaphore.NewWeighted(atOnce), owners: turns.New(1),
		ffprobe: program("ffprobe", ffprobe), ffmpeg: program("ffmpeg", ffmpeg),
	}
}

// writesLast is a fake of ffmpeg: it writes the file named by its last argument.
const writesLast = `for last; do :; done; echo "made of $*" > "${last#file:}"`

func TestStream(t *testing.T) {
	store := newStore(t)
	tr := withPrograms(t, found, writesLast)
	poster, err := tr.Stream(t.Context(), store, owner, source, playlist)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(poster), "-frames:v 1") {
		t.Errorf("poster: %.80s", poster)
	}
	base := "us-east-1:u/post/p/video-hls/video"
	want := []string{base + "_Ott_Hls_Ts_Avc_Aac_16x9_640x360p_30Hz_1200Kbps.m3u8", playlist}
	if !slices.Equal(store.puts, want) {
		t.Errorf("stored %v, want %v", store.puts, want)
	}
	master, err := blob.ReadAll(t.Context(), store, playlist, 10_000)
	if err != nil || !strings.Contains(string(master), "\nvideo_Ott_Hls_Ts_Avc_Aac_16x9_1280x720p_30Hz_3500Kbps.m3u8\n") ||
		!strings.Contains(string(master), "mp4a") || strings.Contains(string(master), "1920") {
		t.Errorf("master playlist: %s, %v", master, err)
	}
	tr.wantTidy(t)
}

func (t *Transcoder) wantTidy(test *testing.T) {
	test.Helper()
	if left, err := os.ReadDir(t.TempDir); err != nil || len(left) > 0 {
		test.Errorf("left behind: %v, %v", left, err)
	}
}

func TestLargeFilmsHaveAnotherRendition(t *testing.T) {
	store := newStore(t)
	tr := withPrograms(t, strings.Replace(found, "360", "721", 1), writesLast)
	if _, err := tr.Stream(t.Context(), store, owner, source, playlist); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(store.puts[0], "1920x1080") {
		t.Errorf("stored %v", store.puts)
	}
}

func TestUnfit(t *testing.T) {
	for _, c := range []struct {
		name            string
		ffprobe, ffmpeg string
		want            string
	}{
		{"no film", `echo "[mov @ 0x1] file:/tmp/x/film: Invalid data found" >&2; exit 1`, writesLast, "Video undecodable: Invalid data found"},
		{"no picture", `echo '{"streams":[{"codec_type":"audio"}]}'`, writesLast, "Video undecodable: no picture in it"},
		{"huge pictures", strings.Replace(found, "640", "640000", 1), writesLast, "Video too large: 640000 x 360 pixels"},
		{"broken", found, `echo "Error while decoding" >&2; exit 69`, "Video undecodable: Error while decoding"},
		{"without a word", found, `exit 1`, "Video undecodable: exit status 1"},
		{"endless", found, `exec sleep 60`, "Video takes too long to process"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			store := newStore(t)
			tr := withPrograms(t, c.ffprobe, c.ffmpeg)
			if c.name == "endless" {
				tr.Timeout = 100 * time.Millisecond
			}
			_, err := tr.Stream(t.Context(), store, owner, source, playlist)
			var unfit *Unfit
			if !errors.As(err, &unfit) || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if len(store.puts) > 0 {
				t.Errorf("stored %v", store.puts)
			}
			tr.wantTidy(t)
		})
	}
}

// large is a store that reports every object as larger than a video may be.
type large struct{ blob.Store }

func (large) Head(context.Context, string) (blob.Info, error) {
	return blob.Info{Size: MaxBytes + 1}, nil
}

func TestTooLarge(t *testing.T) {
	_, err := withPrograms(t, found, writesLast).Stream(t.Context(), large{newStore(t)}, owner, source, playlist)
	if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != TooLarge {
		t.Errorf("got %v", err)
	}
}

// Small files have a shorter time limit, however long they claim to last.
func TestTimeFor(t *testing.T) {
	for size, want := range map[int64]time.Duration{0: time.Minute, 20 << 10: time.Minute + time.Second, 16 << 20: 1084 * time.Second} {
		if got := timeFor(size); got != want {
			t.Errorf("%d bytes have %v, want %v", size, got, want)
		}
	}
	if timeFor(MaxBytes) < 2*time.Hour {
		t.Error("the largest videos have less time than before")
	}
}

// Errors that are not the video's fault are not *Unfit.
func TestOtherErrors(t *testing.T) {
	tr := withPrograms(t, found, writesLast)
	if _, err := tr.Stream(t.Context(), newStore(t), owner, "another", playlist); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("missing film: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tr.Stream(ctx, newStore(t), owner, source, playlist); !errors.Is(err, context.Canceled) {
		t.Errorf("caller that gave up: %v", err)
	}
	tr.wantTidy(t)
}

// A video that takes long delays the next one of its owner, and no others.
func TestOwnersDoNotWaitForEachOther(t *testing.T) {
	store := newStore(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	slow := withPrograms(t, `cat "`+pipe+`" >&2; `+found, writesLast)
	quick := withPrograms(t, found, writesLast)
	quick.turn, quick.owners = slow.turn, slow.owners
	done := make(chan error, 1)
	go func() {
		_, err := slow.Stream(t.Context(), store.Dir, owner, source, playlist)
		done <- err
	}()
	gate, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the slow one reads it
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := quick.Stream(ctx, store.Dir, owner, source, playlist); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("another video of the same owner: %v", err)
	}
	if _, err := quick.Stream(t.Context(), store.Dir, "us-east-1:another", source, playlist); err != nil {
		t.Errorf("a video of another owner: %v", err)
	}
	if err := errors.Join(gate.Close(), <-done); err != nil {
		t.Error(err)
	}
}

// A store without files returns a temporary copy.
func TestCopyOfFilm(t *testing.T) {
	store := newStore(t)
	tr := withPrograms(t, found, `for last; do :; done; cat "$(echo "$*" | sed 's/.*-i file:\([^ ]*\).*/\1/')" > "${last#file:}"`)
	poster, err := tr.Stream(t.Context(), struct{ blob.Store }{store}, owner, source, playlist)
	if err != nil || string(poster) != "a film" {
		t.Errorf("got %q, %v", poster, err)
	}
	tr.wantTidy(t)
}

func TestWithoutFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	tr := Find(slog.New(slog.DiscardHandler))
	_, err := tr.Stream(t.Context(), newStore(t), owner, source, playlist)
	if u := (*Unfit)(nil); tr.Available() || !errors.As(err, &u) || u.Reason != NoTranscoder {
		t.Errorf("available %v, got %v", tr.Available(), err)
	}
}
