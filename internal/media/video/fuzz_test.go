package video

import (
	"errors"
	"strings"
	"testing"

	"stoa/internal/kit/hostile"
)

// FuzzProbed searches for descriptions of videos that are expensive to parse, and for
// videos that pass although none of their frames could be processed.
func FuzzProbed(f *testing.F) {
	for _, out := range []string{
		`{"streams":[{"codec_type":"video","width":640,"height":360},{"codec_type":"audio"}]}`, `{"streams":[{"codec_type":"video","width":8192,"height":4608}]}`,
		`{"streams":[{"codec_type":"video","width":-1,"height":-1}]}`, `{"streams":[{"codec_type":"video","width":4294967296,"height":4294967296}]}`, `{"streams":null}`, `{`, "",
		`{"streams":[` + strings.Repeat(`{"codec_type":"video"},`, hostile.Size/23-2) + `{}]}`, strings.Repeat("[", hostile.Size),
	} {
		f.Add(out)
	}
	f.Fuzz(func(t *testing.T, out string) {
		hostile.Check(t, out, func() {
			film, err := filmOf([]byte(out))
			if err != nil {
				return
			}
			if film.width < 1 || film.height < 1 || film.width > maxPixels || film.height > maxPixels || film.width*film.height > maxPixels {
				t.Errorf("%.200q passes as %d x %d pixels", out, film.width, film.height)
			}
		})
	})
}

// Numbers that overflow are refused like other large ones.
func TestHugeFrames(t *testing.T) {
	_, err := filmOf([]byte(`{"streams":[{"codec_type":"video","width":4294967296,"height":4294967296}]}`))
	if u := (*Unfit)(nil); !errors.As(err, &u) || u.Reason != TooLarge {
		t.Errorf("got %v", err)
	}
}
