package heiftest

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Still describes a HEIF file: tiles of one size in a grid, with the metadata of a phone.
type Still struct {
	Columns, Rows int
	TileSize      int
	Width, Height int // of the grid before rotation
	// QuarterTurns anticlockwise, then Mirror left and right.
	QuarterTurns byte
	Mirror       bool
	EXIF, ICC    []byte
	// Matrix is the matrix of nclx, 0 for none. Limited is set if luma ranges from 16 to
	// 235.
	Matrix  uint16
	Limited bool

	tiles         [][]byte // slices in Annex B form, one access unit each
	parameterSets [][]byte // VPS, SPS, PPS
}

// box returns a box as in ISO/IEC 14496-12.
func box(kind string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return bytes.Join([][]byte{u32(uint32(len(body) + 8)), []byte(kind), body}, nil)
}

func full(kind string, version byte, flags uint32, parts ...[]byte) []byte {
	return box(kind, append([][]byte{u32(uint32(version)<<24 | flags)}, parts...)...)
}

func u16(v uint16) []byte { return binary.BigEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }

// File returns the file. Its items: the tiles are 1 to n, then the grid, then EXIF.
func (s Still) File() []byte {
	n := len(s.tiles)
	grid, exif := uint16(n+1), uint16(n+2)

	var data [][]byte
	for _, tile := range s.tiles {
		var framed []byte
		for _, unit := range units(tile) {
			if k := unit[0] >> 1 & 0x3f; k >= 32 { // parameter sets are in hvcC
				continue
			}
			framed = append(framed, bytes.Join([][]byte{u32(uint32(len(unit))), unit}, nil)...)
		}
		data = append(data, framed)
	}
	data = append(data, bytes.Join([][]byte{{0, 0, byte(s.Rows - 1), byte(s.Columns - 1)},
		u16(uint16(s.Width)), u16(uint16(s.Height))}, nil))
	if s.EXIF != nil {
		data = append(data, bytes.Join([][]byte{u32(0), s.EXIF}, nil))
	}

	var entries [][]byte
	for i := range data {
		kind, hidden := "hvc1", uint32(1)
		switch uint16(i + 1) {
		case grid:
			kind, hidden = "grid", 0
		case exif:
			kind = "Exif"
		}
		entries = append(entries, full("infe", 2, hidden, u16(uint16(i+1)), u16(0), []byte(kind), []byte{0}))
	}
	var tileIDs []byte
	for i := range s.tiles {
		tileIDs = append(tileIDs, u16(uint16(i+1))...)
	}
	references := box("dimg", u16(grid), u16(uint16(n)), tileIDs)
	if s.EXIF != nil {
		references = append(references, box("cdsc", u16(exif), u16(1), u16(grid))...)
	}

	// Properties are counted from 1.
	properties := [][]byte{
		s.hvcC(),
		full("ispe", 0, 0, u32(uint32(s.TileSize)), u32(uint32(s.TileSize))),
		full("ispe", 0, 0, u32(uint32(s.Width)), u32(uint32(s.Height))),
		full("pixi", 0, 0, []byte{3, 8, 8, 8}),
	}
	ofTile, ofGrid := []byte{0x81, 2}, []byte{3, 4}
	add := func(essential byte, property []byte, of ...*[]byte) {
		properties = append(properties, property)
		for _, item := range of {
			*item = append(*item, essential|byte(len(properties)))
		}
	}
	if s.Matrix != 0 {
		rangeFlag := byte(0x80)
		if s.Limited {
			rangeFlag = 0
		}
		add(0, box("colr", []byte("nclx"), u16(1), u16(13), u16(s.Matrix), []byte{rangeFlag}), &ofTile, &ofGrid)
	}
	if s.ICC != nil {
		add(0, box("colr", []byte("prof"), s.ICC), &ofTile, &ofGrid)
	}
	if s.QuarterTurns != 0 {
		add(0x80, box("irot", []byte{s.QuarterTurns}), &ofGrid)
	}
	if s.Mirror {
		add(0x80, box("imir", []byte{1}), &ofGrid)
	}
	var associations []byte
	for i := range s.tiles {
		associations = append(associations, bytes.Join([][]byte{u16(uint16(i + 1)), {byte(len(ofTile))}, ofTile}, nil)...)
	}
	associations = append(associations, bytes.Join([][]byte{u16(grid), {byte(len(ofGrid))}, ofGrid}, nil)...)

	meta := func(base uint32) []byte {
		var locations []byte
		at := base
		for i, d := range data {
			locations = append(locations, bytes.Join([][]byte{u16(uint16(i + 1)), u16(0), u16(1), u32(at), u32(uint32(len(d)))}, nil)...)
			at += uint32(len(d))
		}
		return full("meta", 0, 0,
			full("hdlr", 0, 0, u32(0), []byte("pict"), make([]byte, 13)),
			full("pitm", 0, 0, u16(grid)),
			full("iinf", 0, 0, u16(uint16(len(entries))), bytes.Join(entries, nil)),
			full("iref", 0, 0, references),
			box("iprp", box("ipco", properties...), full("ipma", 0, 0, u32(uint32(n+1)), associations)),
			full("iloc", 0, 0, []byte{0x44, 0x00}, u16(uint16(len(data))), locations),
		)
	}
	head := box("ftyp", []byte("heic"), u32(0), []byte("mif1heic"))
	base := uint32(len(head) + len(meta(0)) + 8)
	return bytes.Join([][]byte{head, meta(base), box("mdat", data...)}, nil)
}

// hvcC returns the decoder configuration. Its profile fields are those of the SPS.
func (s Still) hvcC() []byte {
	var sets []byte
	var sps []byte
	for _, unit := range s.parameterSets {
		kind := unit[0] >> 1 & 0x3f
		if kind == 33 {
			sps = unit
		}
		sets = append(sets, bytes.Join([][]byte{{0x80 | kind}, u16(1), u16(uint16(len(unit))), unit}, nil)...)
	}
	profile := unescape(sps)[3:15]
	return box("hvcC", []byte{1}, profile, []byte{0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, byte(len(s.parameterSets))}, sets)
}

func unescape(unit []byte) []byte { return bytes.ReplaceAll(unit, []byte{0, 0, 3}, []byte{0, 0}) }

// units splits an Annex B stream into NAL units.
func units(stream []byte) (found [][]byte) {
	for _, part := range bytes.Split(stream, []byte{0, 0, 1})[1:] {
		found = append(found, bytes.TrimRight(part, "\x00"))
	}
	return found
}

// accessUnits splits a stream of intra pictures into its parameter sets and one stream per
// picture.
func accessUnits(stream []byte) (parameterSets, pictures [][]byte, err error) {
	seen := map[byte]bool{}
	for _, unit := range units(stream) {
		kind := unit[0] >> 1 & 0x3f
		switch {
		case kind >= 32 && kind <= 34:
			if !seen[kind] {
				seen[kind] = true
				parameterSets = append(parameterSets, unit)
			}
		case kind < 32 && unit[2]&0x80 != 0: // first slice segment of a picture
			pictures = append(pictures, nil)
			fallthrough
		case kind < 32:
			last := &pictures[len(pictures)-1]
			*last = append(append(*last, 0, 0, 1), unit...)
		}
	}
	if len(parameterSets) != 3 || len(pictures) == 0 {
		return nil, nil, fmt.Errorf("%d parameter sets and %d pictures: not a stream of stills", len(parameterSets), len(pictures))
	}
	return parameterSets, pictures, nil
}

// Film makes every tile a film of all tiles.
func (s *Still) Film() {
	all := bytes.Join(s.tiles, nil)
	for i := range s.tiles {
		s.tiles[i] = all
	}
}
