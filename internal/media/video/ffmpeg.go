package video

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// rendition is one quality of a stream.
type rendition struct {
	width, height int
	kbps          int
	profile       string
	codec         string // the profile's codec in playlists
}

// renditions are in the order in which a player should try them. The first two are part of
// every stream, the last only if the video has a higher resolution than the first.
var renditions = []rendition{
	{1280, 720, 3500, "main", "avc1.4d401f"},
	{640, 360, 1200, "main", "avc1.4d401e"},
	{1920, 1080, 8500, "high", "avc1.640028"},
}

// name returns the file name in the scheme of the transcoding service that clients expect.
func (r rendition) name(base string) string {
	return fmt.Sprintf("%s_Ott_Hls_Ts_Avc_Aac_16x9_%dx%dp_30Hz_%dKbps", base, r.width, r.height, r.kbps)
}

const audioKbps = 128

// film holds the properties of a video that are known before decoding.
type film struct {
	width, height int
	audio         bool
}

// input makes ffmpeg accept only videos of the kind that phones record: other formats can
// refer to local files and to addresses in the network.
func input(file string) []string {
	return []string{"-protocol_whitelist", "file", "-f", "mov", "-i", "file:" + file}
}

// transcode writes a stream to dir and returns the poster.
func (t *Transcoder) transcode(ctx context.Context, file, dir, base string) ([]byte, error) {
	f, err := t.probe(ctx, file)
	if err != nil {
		return nil, err
	}
	poster := filepath.Join(filepath.Dir(dir), "poster.jpg")
	args := append(
		input(file),
		"-map",
		"0:v:0",
		"-frames:v",
		"1",
		"-vf",
		"scale=iw*sar:ih,setsar=1,format=yuvj420p",
		"-q:v",
		"2",
		"-f",
		"image2",
		"file:"+poster,
	)
	if err := t.run(ctx, dir, args); err != nil {
		return nil, err
	}
	chosen := renditions[:2]
	if f.width > renditions[0].width || f.height > renditions[0].height {
		chosen = renditions
	}
	if err := t.run(ctx, dir, streamArgs(file, base, chosen)); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, base+".m3u8"), master(base, chosen, f.audio), 0o600); err != nil {
		return nil, err
	}
	return os.ReadFile(poster)
}

// streamArgs decodes a video once and encodes it in all renditions, in a 16:9 frame.
func streamArgs(file, base string, chosen []rendition) []string {
	graph := fmt.Sprintf("[0:v:0]fps=30,split=%d", len(chosen))
	for n := range chosen {
		graph += fmt.Sprintf("[in%d]", n)
	}
	for n, r := range chosen {
		graph += fmt.Sprintf(
			";[in%d]scale=%d:%d:force_original_aspect_ratio=decrease:force_divisible_by=2,pad=%d:%d:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p[out%d]",
			n,
			r.width,
			r.height,
			r.width,
			r.height,
			n,
		)
	}
	args := append(input(file), "-filter_complex", graph)
	for n, r := range chosen {
		args = append(args,
			"-map", fmt.Sprintf("[out%d]", n), "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
			"-c:v", "libx264", "-preset", "superfast", "-profile:v", r.profile, "-crf", "21",
			"-maxrate", fmt.Sprintf("%dk", r.kbps-audioKbps), "-bufsize", fmt.Sprintf("%dk", 2*r.kbps),
			"-g", "60", "-keyint_min", "60", "-sc_threshold", "0",
			"-c:a", "aac", "-b:a", fmt.Sprintf("%dk", audioKbps), "-ac", "2", "-ar", "48000",
			"-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod", "-hls_flags", "independent_segments",
			"-hls_segment_filename", r.name(base)+"_%05d.ts", r.name(base)+".m3u8")
	}
	return args
}

// master returns the playlist that lists the others.
func master(base string, chosen []rendition, audio bool) []byte {
	var b bytes.Buffer
	b.WriteString("#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n")
	for _, r := range chosen {
		codecs := r.codec
		if audio {
			codecs += ",mp4a.40.2"
		}
		fmt.Fprintf(&b, "#EXT-X-STREAM-INF:BANDWIDTH=%d,RESOLUTION=%dx%d,FRAME-RATE=30.000,CODECS=\"%s\"\n%s.m3u8\n",
			r.kbps*1100, r.width, r.height, codecs, r.name(base))
	}
	return b.Bytes()
}

// probe returns an error for files without a video.
func (t *Transcoder) probe(ctx context.Context, file string) (film, error) {
	args := append([]string{"-v", "error", "-show_entries", "stream=codec_type,width,height", "-of", "json"}, input(file)...)
	out, err := t.command(ctx, t.ffprobe, "", probeMemory, args)
	if err != nil {
		return film{}, err
	}
	return filmOf(out)
}

// filmOf parses the output of ffprobe.
func filmOf(out []byte) (film, error) {
	var found struct {
		Streams []struct {
			Kind          string `json:"codec_type"`
			Width, Height int
		}
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return film{}, fmt.Errorf("output of ffprobe: %w", err)
	}
	var f film
	for _, s := range found.Streams {
		switch {
		case s.Kind == "audio":
			f.audio = true
		case s.Kind == "video" && f.width == 0:
			f.width, f.height = s.Width, s.Height
		}
	}
	switch {
	case f.width <= 0 || f.height <= 0:
		return film{}, &Unfit{Undecodable, "no picture in it"}
	case f.width > maxPixels/f.height:
		return film{}, &Unfit{TooLarge, fmt.Sprintf("%d x %d pixels", f.width, f.height)}
	}
	return f, nil
}

// maxPixels is the maximum size of a frame: 8K.
const maxPixels = 8192 * 4608

// Maximum memory of programs, in bytes. A small file can announce any number of tracks and
// frames, for which ffmpeg allocates memory as it reads their headers.
const (
	probeMemory = 512 << 20
	// threadMemory is that of each thread of ffmpeg, which has frames of its own.
	threadMemory = 128 << 20
	videoMemory  = 2 << 30
	maxAlloc     = 256 << 20 // at once
)

func (t *Transcoder) run(ctx context.Context, dir string, args []string) error {
	fixed := []string{"-hide_banner", "-nostdin", "-loglevel", "error", "-y",
		"-threads", strconv.Itoa(threads()), "-filter_complex_threads", strconv.Itoa(threads()),
		"-max_pixels", strconv.Itoa(maxPixels)}
	_, err := t.command(ctx, t.ffmpeg, dir, videoMemory+threads()*threadMemory, append(fixed, args...))
	return err
}

// command runs a program with low priority and limited memory. If it could be started but
// fails, the video is at fault.
func (t *Transcoder) command(ctx context.Context, program, dir string, memory int, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, append([]string{"-max_alloc", strconv.Itoa(maxAlloc)}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=/nonexistent", "LC_ALL=C"}
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	problems := tail{limit: 2000}
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lowerPriority(cmd.Process.Pid)
	if err := limitMemory(cmd.Process.Pid, memory); err != nil {
		t.Log.Error("limiting the memory of "+filepath.Base(program)+" failed", slog.String("error", err.Error()))
	}
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &Unfit{Undecodable, problems.lastLine(err.Error())}
	}
	return out.Bytes(), nil
}

// tail keeps the end of its input.
type tail struct {
	limit int
	kept  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-t.limit):]
	return len(p), nil
}

// lastLine returns the last line of output, or otherwise if there is none. It is truncated
// to fit into a reason, and contains no file names.
func (t *tail) lastLine(otherwise string) string {
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	line := lines[len(lines)-1]
	if at := strings.LastIndex(line, "file:"); at >= 0 {
		if end := strings.Index(line[at:], ": "); end >= 0 {
			line = line[at+end+2:]
		}
	}
	if line == "" {
		line = otherwise
	}
	return line[:min(len(line), 200)]
}
