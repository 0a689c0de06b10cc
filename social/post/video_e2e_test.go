//go:build e2e

package post_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A real video, processed by the installed ffmpeg.
func TestRealVideos(t *testing.T) {
	file := filepath.Join(t.TempDir(), "clip.mov")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=3", "-f", "lavfi", "-i", "sine=frequency=440:duration=3",
		"-c:a", "aac", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, out)
	}
	film, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fromUploadToEnd(t, film)
}
