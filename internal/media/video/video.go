// Package video converts videos to HLS streams with ffmpeg, which may not be installed.
//
// An error that is an *Unfit is permanent. This includes a missing ffmpeg, which is
// reported only after a video has been uploaded.
package video

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"stoa/internal/kit/turns"
	"stoa/internal/media/blob"
)

// Reason is the reason for which a video cannot be processed.
type Reason string

const (
	// NoTranscoder means that ffmpeg is not installed.
	NoTranscoder Reason = "Video cannot be processed: ffmpeg is not installed on this server"
	TooLarge     Reason = "Video too large"
	TooSlow      Reason = "Video takes too long to process"
	Undecodable  Reason = "Video undecodable"
)

// Unfit is the error for a video that can never be processed.
type Unfit struct {
	Reason Reason
	// Detail may be empty.
	Detail string
}

func (u *Unfit) Error() string {
	if u.Detail == "" {
		return string(u.Reason)
	}
	return string(u.Reason) + ": " + u.Detail
}

// MaxBytes is the maximum size of a video.
const MaxBytes = 2 << 30

// A small file can claim to last for days, so the time for a video depends on its size: leastTime,
// and another second for each bytesPerSecond, a fraction of the bit rate of recordings.
const (
	leastTime      = time.Minute
	bytesPerSecond = 16 << 10
)

// atOnce is the number of videos that are processed at the same time, each of another owner:
// a video that takes hours delays only those of its owner.
const atOnce = 2

// Transcoder creates streams of a few videos at a time. The methods wait for their turn.
type Transcoder struct {
	// Timeout is the maximum time for one video. Small ones have less.
	Timeout time.Duration
	// TempDir is the directory for temporary files, "" for the default.
	TempDir string
	Log     *slog.Logger

	ffmpeg, ffprobe string // empty if not installed
	turn            *semaphore.Weighted
	owners          *turns.Turns
}

// Find returns a transcoder that uses the ffmpeg in the search path. If there is none, it
// refuses all videos.
func Find(log *slog.Logger) *Transcoder {
	t := &Transcoder{Timeout: 2 * time.Hour, Log: log, turn: semaphore.NewWeighted(atOnce), owners: turns.New(1)}
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return t
	}
	if ffprobe, err := exec.LookPath("ffprobe"); err == nil {
		t.ffmpeg, t.ffprobe = ffmpeg, ffprobe
	}
	return t
}

// Available reports whether videos can be processed.
func (t *Transcoder) Available() bool { return t.ffmpeg != "" }

// Stream creates a stream of the video of owner that is stored under source. The stream's files are stored
// next to playlist, the key of the master playlist, which is stored last: if it exists, all
// files do. Their names begin with that of the playlist. It returns the video's first frame
// as a JPEG file.
func (t *Transcoder) Stream(ctx context.Context, store blob.Store, owner, source, playlist string) (poster []byte, err error) {
	if !t.Available() {
		return nil, &Unfit{Reason: NoTranscoder}
	}
	end, err := t.owners.Acquire(ctx, owner, 1)
	defer end()
	if err != nil {
		return nil, err
	}
	if err := t.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer t.turn.Release(1)
	info, err := store.Head(ctx, source)
	if err != nil {
		return nil, err
	}
	if info.Size > MaxBytes {
		return nil, &Unfit{TooLarge, fmt.Sprintf("%d bytes", info.Size)}
	}
	dir, err := os.MkdirTemp(t.TempDir, "stoa-video-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if removeErr := os.RemoveAll(dir); removeErr != nil {
			t.Log.Error("removing the temporary files of a video failed", slog.String("directory", dir), slog.String("error", removeErr.Error()))
		}
	}()
	film, err := local(ctx, store, source, dir)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, min(t.Timeout, timeFor(info.Size)))
	defer cancel()
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		return nil, err
	}
	poster, err = t.transcode(bounded, film, out, strings.TrimSuffix(path.Base(playlist), path.Ext(playlist)))
	switch {
	case bounded.Err() != nil && ctx.Err() == nil:
		return nil, &Unfit{Reason: TooSlow}
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	return poster, publish(ctx, store, out, playlist)
}

// timeFor returns the time for a video of some bytes.
func timeFor(size int64) time.Duration {
	return leastTime + time.Duration(size/bytesPerSecond)*time.Second
}

// local returns a file with the video: the store's own, or a copy in dir.
func local(ctx context.Context, store blob.Store, key, dir string) (string, error) {
	if files, ok := store.(blob.Local); ok {
		return files.Path(key)
	}
	r, _, err := store.Open(ctx, key, blob.Range{})
	if err != nil {
		return "", err
	}
	defer r.Close()
	file := filepath.Join(dir, "film")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, r)
	return file, errors.Join(err, f.Close())
}

// publish stores the files in dir, the master playlist last.
func publish(ctx context.Context, store blob.Store, dir, playlist string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	put := func(name string) error {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = store.Put(ctx, path.Dir(playlist)+"/"+name, f)
		return err
	}
	for _, e := range entries {
		if e.Name() != path.Base(playlist) {
			if err := put(e.Name()); err != nil {
				return err
			}
		}
	}
	return put(path.Base(playlist))
}

// threads leaves one core to requests.
func threads() int { return max(1, runtime.GOMAXPROCS(0)-1) }
