//go:build e2e

package video

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/jpeg"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clip creates a video of three seconds with ffmpeg.
func clip(t *testing.T, size string, sound bool, more ...string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "clip.mov")
	args := []string{"-v", "error", "-f", "lavfi", "-i", "testsrc2=size=" + size + ":rate=25:duration=3"}
	if sound {
		args = append(args, "-f", "lavfi", "-i", "sine=frequency=440:duration=3", "-c:a", "aac")
	}
	args = append(args, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	args = append(append(args, more...), file)
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRealFilms(t *testing.T) {
	for _, c := range []struct {
		name       string
		film       []byte
		renditions []string
		sound      bool
		poster     [2]int
	}{
		{"small", clip(t, "320x240", true), []string{"1280x720", "640x360"}, true, [2]int{320, 240}},
		{"upright and silent", clip(t, "360x640", false), []string{"1280x720", "640x360"}, false, [2]int{360, 640}},
		{"large", clip(t, "1920x1080", true), []string{"1280x720", "640x360", "1920x1080"}, true, [2]int{1920, 1080}},
		{"HEVC", clip(t, "640x360", true, "-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=error"), []string{"1280x720", "640x360"}, true, [2]int{640, 360}},
	} {
		store := newStore(t)
		if _, err := store.Put(t.Context(), source, bytes.NewReader(c.film)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		poster, err := Find(slog.New(slog.DiscardHandler)).Stream(t.Context(), store, owner, source, playlist)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		t.Logf("%s: %v", c.name, time.Since(start))
		m, err := jpeg.DecodeConfig(bytes.NewReader(poster))
		if err != nil || [2]int{m.Width, m.Height} != c.poster {
			t.Errorf("%s: poster of %d x %d, %v", c.name, m.Width, m.Height, err)
		}
		file, err := store.Path(playlist)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "#EXT-X-STREAM-INF"); got != len(c.renditions) {
			t.Errorf("%s: %d renditions: %s", c.name, got, text)
		}
		for _, size := range c.renditions {
			var name string
			for line := range strings.Lines(string(text)) {
				if strings.Contains(line, "_"+size+"p_") {
					name = strings.TrimSpace(line)
				}
			}
			got := streams(t, filepath.Join(filepath.Dir(file), name))
			want := "video h264 " + size
			if c.sound {
				want += ", audio aac"
			}
			if got != want {
				t.Errorf("%s in %s: got %s, want %s", c.name, size, got, want)
			}
		}
	}
}

// streams returns the content of a playlist, after decoding all of it.
func streams(t *testing.T, file string) string {
	t.Helper()
	if out, err := exec.Command("ffmpeg", "-v", "error", "-i", file, "-f", "null", "-").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%s: %v: %s", file, err, out)
	}
	out, err := exec.Command("ffprobe", "-v", "error", "-show_entries", "format=duration:stream=codec_type,codec_name,width,height", "-of", "json", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var found struct {
		Streams []struct {
			Kind  string `json:"codec_type"`
			Codec string `json:"codec_name"`
			Width int
			High  int `json:"height"`
		}
		Format struct{ Duration string }
	}
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(found.Format.Duration, "3.0") {
		t.Errorf("%s lasts %s seconds", file, found.Format.Duration)
	}
	var all []string
	for _, s := range found.Streams {
		if s.Kind == "video" {
			all = append(all, fmt.Sprintf("video %s %dx%d", s.Codec, s.Width, s.High))
		} else {
			all = append(all, s.Kind+" "+s.Codec)
		}
	}
	return strings.Join(all, ", ")
}

// Files that would make ffmpeg read other files are refused.
func TestHostileFilms(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.ts")
	if err := os.WriteFile(secret, []byte("nobody may see this"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := clip(t, "320x240", false)
	for name, film := range map[string][]byte{
		"playlist":       []byte("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\n" + secret + "\n#EXT-X-ENDLIST\n"),
		"list to join":   []byte("ffconcat version 1.0\nfile '" + secret + "'\n"),
		"address":        []byte("http://127.0.0.1:1/film.mov"),
		"nothing":        {},
		"text":           []byte("this is no film"),
		"cut film":       whole[:len(whole)/3],
		"film of zeros":  make([]byte, 100_000),
		"picture format": []byte("\x89PNG\r\n\x1a\n"),
	} {
		store := newStore(t)
		if _, err := store.Put(t.Context(), source, bytes.NewReader(film)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err := Find(slog.New(slog.DiscardHandler)).Stream(t.Context(), store, owner, source, playlist)
		if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != Undecodable || strings.Contains(err.Error(), "/") {
			t.Errorf("%s: got %v", name, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
