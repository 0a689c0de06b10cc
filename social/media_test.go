package social

import (
	"testing"
	"time"
)

func TestWhoTakesUpAnUpload(t *testing.T) {
	image := PostUpload{Source: "ana/post/p/upload-1", Process: "a", At: noon}
	film := PostUpload{Source: "ana/post/p/upload-1.mov", Process: "a", At: noon}
	for _, c := range []struct {
		name    string
		upload  PostUpload
		process string
		after   time.Duration
		want    bool
	}{
		{"the same, at once", image, "a", 29 * time.Second, false},
		{"the same, started anew", image, "a", 30 * time.Second, true},
		{"another, while the first may be at it", image, "b", 9 * time.Minute, false},
		{"another, when the first must be dead", image, "b", 10 * time.Minute, true},
		{"another, a video", film, "b", 2 * time.Hour, false},
		{"another, a video of long ago", film, "b", 3 * time.Hour, true},
	} {
		if got := c.upload.Left(c.process, noon.Add(c.after)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
