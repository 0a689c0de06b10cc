package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"stoa/internal/media/picture/picturetest"
)

// tags returns all tags of a block with their values, following the offsets in it.
func tags(tiff []byte) (found []string) {
	d, ok := mainDirectory(tiff)
	for n := 0; ok; n++ {
		found = append(found, d.list(fmt.Sprint(n))...)
		next := d.order.Uint32(tiff[d.at+d.entries*entrySize:])
		if next == 0 {
			break
		}
		d, ok = directoryAt(tiff, d.order, next)
	}
	return found
}

func hasGPS(tiff []byte) bool { return slices.ContainsFunc(tags(tiff), isPlace) }

func removeGPS(tiff []byte) { (&cleaner{}).exif(tiff) }

func isPlace(tag string) bool {
	return strings.Contains(tag, "/gps/") || strings.Contains(tag, " 8825 ")
}

func (d directory) list(name string) (found []string) {
	for n := range d.entries {
		e := d.entry(n)
		tag, kind, count := d.order.Uint16(e), d.order.Uint16(e[2:]), d.order.Uint32(e[4:])
		value := e[8:]
		if size := valueSizes[kind] * uint64(count); size > 4 {
			value = d.tiff[d.order.Uint32(e[8:]):][:size]
		}
		for pointer, inside := range map[uint16]string{0x8769: "exif", tagGPS: "gps"} {
			if sub, ok := directoryAt(d.tiff, d.order, d.order.Uint32(e[8:])); tag == pointer && ok {
				found = append(found, sub.list(name+"/"+inside+"/")...)
			}
		}
		found = append(found, fmt.Sprintf("%s %04x %d %d %q", name, tag, kind, count, value))
	}
	return found
}

func TestRemoveGPS(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		before := picturetest.EXIF{Order: order, Orientation: 6, GPS: true}.Block()
		after := bytes.Clone(before)
		removeGPS(after)
		if !hasGPS(before) || hasGPS(after) || len(after) != len(before) {
			t.Errorf("%v: place before %v, after %v", order, hasGPS(before), hasGPS(after))
		}
		want := slices.DeleteFunc(tags(before), isPlace)
		if got := tags(after); !slices.Equal(got, want) || len(want) != 9 {
			t.Errorf("%v: tags\n%s, want\n%s", order, got, want)
		}
		for _, secret := range []string{picturetest.Place, string(order.AppendUint32(nil, 57)) + string(order.AppendUint32(nil, 1))} {
			if !bytes.Contains(before, []byte(secret)) || bytes.Contains(after, []byte(secret)) {
				t.Errorf("%v: %q is still there", order, secret)
			}
		}
		again := bytes.Clone(after)
		if removeGPS(again); !bytes.Equal(again, after) {
			t.Errorf("%v: removing nothing changed something", order)
		}
	}
}

func TestNativeWithoutGPS(t *testing.T) {
	scene := picturetest.Scene(60, 40)
	with := picturetest.EXIF{Order: binary.BigEndian, Orientation: 1, GPS: true}.Block()
	xmp := []byte("\xe1http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta/>")
	for name, data := range map[string][]byte{"JPEG": picturetest.JPEG(scene, with, xmp), "PNG": picturetest.PNG(scene, with)} {
		kept := bytes.Clone(data)
		p := process(t, Input{Data: data})
		if !bytes.Equal(data, kept) {
			t.Errorf("%s: the input was written to", name)
		}
		if len(p.Native) != len(data) || bytes.Contains(p.Native, []byte(picturetest.Place)) {
			t.Errorf("%s: the place is still there", name)
		}
		// Only the block differs, and in PNG its checksum.
		at := bytes.Index(data, with)
		end := at + len(with)
		if name == "PNG" {
			end += 4
			if _, err := png.Decode(bytes.NewReader(p.Native)); err != nil {
				t.Error(err)
			}
		}
		if !bytes.Equal(p.Native[:at], data[:at]) || !bytes.Equal(p.Native[end:], data[end:]) {
			t.Errorf("%s: more than EXIF changed", name)
		}
	}
}

func TestOrientationOf(t *testing.T) {
	good := picturetest.EXIF{Order: binary.LittleEndian, Orientation: 6}.Block()
	bad := picturetest.EXIF{Order: binary.LittleEndian, Orientation: 9}.Block()
	for name, c := range map[string]struct {
		tiff []byte
		want int
	}{
		"as it says": {good, 6}, "out of range": {bad, 1}, "nothing": {nil, 1}, "cut": {good[:20], 1}, "no TIFF": {[]byte("JUNKJUNKJUNK"), 1},
	} {
		if got := orientation(c.tiff); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

// Blocks with arbitrary offsets are processed as quickly as valid ones, within their
// bounds.
func TestDamagedEXIF(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	whole := picturetest.EXIF{Order: binary.BigEndian, Orientation: 6, GPS: true}.Block()
	for range 20_000 {
		tiff := bytes.Clone(whole)
		for range 1 + random.IntN(6) {
			tiff[random.IntN(len(tiff))] = byte(random.IntN(256))
		}
		tiff = tiff[:random.IntN(len(tiff)+1)]
		orientation(tiff)
		setUpright(tiff)
		removeGPS(tiff)
	}
}
