// Package video turns films into HLS streams with ffmpeg, a program that may or may not
// be installed.
//
// An error that is an *Unfit is final. That ffmpeg is missing is such an error too: it
// is told after a film has come, not before.
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

	"stoa/internal/media/blob"
)

// Reason is why a film cannot be processed.
type Reason string

const (
	// NoTranscoder means that ffmpeg is not installed.
	NoTranscoder Reason = "Video cannot be processed: ffmpeg is not installed on this server"
	TooLarge     Reason = "Video too large"
	TooSlow      Reason = "Video takes too long to process"
	Undecodable  Reason = "Video undecodable"
)

// Unfit is the error for a film that will never be processed.
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

// MaxBytes is the largest film that is processed.
const MaxBytes = 2 << 30

// Transcoder makes streams, one film at a time. The methods wait for their turn.
type Transcoder struct {
	// Timeout bounds the work on one film.
	Timeout time.Duration
	// TempDir is where films are worked on, "" for the system's choice.
	TempDir string
	Log     *slog.Logger

	ffmpeg, ffprobe string // empty when they are not installed
	turn            *semaphore.Weighted
}

// Find looks for ffmpeg in the search path. Without it the transcoder refuses all films.
func Find(log *slog.Logger) *Transcoder {
	t := &Transcoder{Timeout: 2 * time.Hour, Log: log, turn: semaphore.NewWeighted(1)}
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return t
	}
	if ffprobe, err := exec.LookPath("ffprobe"); err == nil {
		t.ffmpeg, t.ffprobe = ffmpeg, ffprobe
	}
	return t
}

// Available reports whether films can be processed at all.
func (t *Transcoder) Available() bool { return t.ffmpeg != "" }

// Stream makes a stream of the film that is stored under source. The files of the stream
// are stored beside playlist, the key of the master playlist, which comes last: when it
// is there, all of them are. Their names begin with that of the playlist. The answer is
// the film's first frame, as a JPEG file.
func (t *Transcoder) Stream(ctx context.Context, store blob.Store, source, playlist string) (poster []byte, err error) {
	if !t.Available() {
		return nil, &Unfit{Reason: NoTranscoder}
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
			t.Log.Error("a film was not tidied away", slog.String("directory", dir), slog.String("error", removeErr.Error()))
		}
	}()
	film, err := local(ctx, store, source, dir)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, t.Timeout)
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

// local returns a file with the film: the store's own, or a copy in dir.
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

// threads leaves the other cores to those who wait for an answer.
func threads() int { return max(1, runtime.GOMAXPROCS(0)-1) }
