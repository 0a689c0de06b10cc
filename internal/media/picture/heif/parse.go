package heif

import (
	"encoding/binary"
	"fmt"
)

// Limits of a file's structure. Phones write a few dozen items.
const (
	maxItems = 5000
	maxTiles = 1024
)

// meta is the structure of a file.
type meta struct {
	data       []byte // the file
	idat       []byte
	primary    uint32
	items      map[uint32]*item
	properties []property
	references map[string]map[uint32][]uint32 // by kind, then by source
}

type item struct {
	kind       string
	inIdat     bool
	extents    []extent
	properties []int // indexes into meta.properties, in their order
}

type extent struct{ offset, length uint64 }

type property struct {
	kind    string
	content []byte
}

// parse parses the boxes with the file's structure.
func parse(data []byte) (*meta, error) {
	box := child(data, "meta")
	if len(box) < 4 {
		return nil, Error("no meta box")
	}
	m := &meta{data: data, items: map[uint32]*item{}, references: map[string]map[uint32][]uint32{}}
	for kind, content := range boxes(box[4:]) {
		r := &reader{b: content}
		switch kind {
		case "pitm":
			version, _ := r.full()
			m.primary = r.id(version > 0)
		case "iinf":
			m.parseInfos(r)
		case "iloc":
			m.parseLocations(r)
		case "iref":
			m.parseReferences(r)
		case "iprp":
			m.parseProperties(r)
		case "idat":
			m.idat = content
		}
		if r.short {
			return nil, errorf("%s box ends early", kind)
		}
	}
	if len(m.items) > maxItems {
		return nil, errorf("%d items are too many", len(m.items))
	}
	return m, nil
}

// item returns the item with a number, adding it if it is unknown.
func (m *meta) item(id uint32) *item {
	i, ok := m.items[id]
	if !ok {
		i = &item{}
		m.items[id] = i
	}
	return i
}

func (m *meta) parseInfos(r *reader) {
	if version, _ := r.full(); version == 0 {
		r.u16()
	} else {
		r.u32()
	}
	for kind, content := range boxes(r.b) {
		info := &reader{b: content}
		version, _ := info.full()
		if kind != "infe" || version < 2 {
			continue
		}
		id := info.id(version > 2)
		info.u16() // protection
		if name := info.take(4); !info.short {
			m.item(id).kind = string(name)
		}
	}
}

func (m *meta) parseLocations(r *reader) {
	version, _ := r.full()
	sizes := r.u16()
	offsetSize, lengthSize, baseSize, indexSize := int(sizes>>12), int(sizes>>8&15), int(sizes>>4&15), int(sizes&15)
	for count := r.id(version > 1); count > 0 && !r.short; count-- {
		i := m.item(r.id(version > 1))
		i.extents = nil
		if version > 0 {
			i.inIdat = r.u16()&15 == 1
		}
		r.u16() // data reference index: external files are not supported
		base := r.uint(baseSize)
		for extents := r.u16(); extents > 0 && !r.short; extents-- {
			if version > 0 {
				r.uint(indexSize)
			}
			offset := base + r.uint(offsetSize)
			i.extents = append(i.extents, extent{offset, r.uint(lengthSize)})
		}
	}
}

func (m *meta) parseReferences(r *reader) {
	version, _ := r.full()
	for kind, content := range boxes(r.b) {
		ref := &reader{b: content}
		from := ref.id(version > 0)
		var to []uint32
		for count := ref.u16(); count > 0 && !ref.short; count-- {
			to = append(to, ref.id(version > 0))
		}
		if m.references[kind] == nil {
			m.references[kind] = map[uint32][]uint32{}
		}
		m.references[kind][from] = to
	}
}

func (m *meta) parseProperties(r *reader) {
	for kind, content := range boxes(child(r.b, "ipco")) {
		m.properties = append(m.properties, property{kind, content})
	}
	for kind, content := range boxes(r.b) {
		if kind != "ipma" {
			continue
		}
		a := &reader{b: content}
		version, flags := a.full()
		for count := a.u32(); count > 0 && !a.short; count-- {
			i := m.item(a.id(version > 0))
			for n := a.u8(); n > 0 && !a.short; n-- {
				index := int(a.u8() & 0x7f)
				if flags&1 != 0 {
					index = index<<8 | int(a.u8())
				}
				if index > 0 && index <= len(m.properties) {
					i.properties = append(i.properties, index-1)
				}
			}
		}
	}
}

// content returns the content of an item.
func (m *meta) content(i *item) ([]byte, error) {
	source := m.data
	if i.inIdat {
		source = m.idat
	}
	var content []byte
	for _, e := range i.extents {
		end := e.offset + e.length
		if e.length == 0 { // the rest
			end = uint64(len(source))
		}
		if e.offset > end || end > uint64(len(source)) {
			return nil, Error("an item lies outside of the file")
		}
		if len(i.extents) == 1 {
			return source[e.offset:end], nil
		}
		if content = append(content, source[e.offset:end]...); len(content) > len(m.data) {
			return nil, Error("an item is larger than the file")
		}
	}
	return content, nil
}

// property returns the item's first property of a kind, or nil.
func (m *meta) property(i *item, kind string) []byte {
	for _, index := range i.properties {
		if p := m.properties[index]; p.kind == kind {
			return p.content
		}
	}
	return nil
}

// sizeOf returns the declared size of an item.
func (m *meta) sizeOf(i *item) (width, height int, err error) {
	r := &reader{b: m.property(i, "ispe")}
	r.full()
	width, height = int(r.u32()), int(r.u32())
	if r.short || width <= 0 || height <= 0 || width > maxSide || height > maxSide {
		return 0, 0, Error("a picture without a size that can be")
	}
	return width, height, nil
}

// maxSide keeps products of two sides within an int.
const maxSide = 1 << 20

// parseGrid parses the layout of tiles.
func parseGrid(content []byte) (columns, rows, width, height int, err error) {
	r := &reader{b: content}
	r.u8()
	wide := r.u8()&1 != 0
	rows, columns = int(r.u8())+1, int(r.u8())+1
	width, height = int(r.id(wide)), int(r.id(wide))
	if r.short || width <= 0 || height <= 0 || width > maxSide || height > maxSide || rows*columns > maxTiles {
		return 0, 0, 0, 0, Error("a grid that makes no picture")
	}
	return columns, rows, width, height, nil
}

// still returns the NAL units of a coded picture, each after its length in 4 bytes, the
// parameter sets first. It refuses anything but a single still, because decoding a film
// would take as long as the film is.
func still(config, content []byte) ([]byte, error) {
	if len(config) < 23 {
		return nil, Error("no decoder configuration")
	}
	units := make([]byte, 0, len(config)+len(content)+64)
	add := func(unit []byte) {
		units = binary.BigEndian.AppendUint32(units, uint32(len(unit)))
		units = append(units, unit...)
	}
	r := &reader{b: config[22:]}
	for arrays := r.u8(); arrays > 0; arrays-- {
		r.u8() // the type, repeated by each unit
		for n := r.u16(); n > 0 && !r.short; n-- {
			unit := r.take(int(r.u16()))
			if isPicture(unit) {
				return nil, Error("pictures in the decoder configuration")
			}
			add(unit)
		}
	}
	pictures := 0
	lengthSize := int(config[21]&3) + 1
	for r.b = content; len(r.b) > 0 && !r.short; {
		length := binary.BigEndian.Uint32(append(make([]byte, 4-lengthSize, 4), r.take(lengthSize)[:lengthSize]...))
		unit := r.take(int(length))
		if isPicture(unit) && len(unit) > 2 && unit[2]&0x80 != 0 { // the first slice of a picture
			pictures++
		}
		add(unit)
	}
	if r.short {
		return nil, Error("coded data end early")
	}
	if pictures != 1 {
		return nil, errorf("%d pictures where there should be one", pictures)
	}
	return units, nil
}

// isPicture reports whether a NAL unit is part of a picture.
func isPicture(unit []byte) bool { return len(unit) > 0 && unit[0]>>1&0x3f < firstParameterSet }

// firstParameterSet is the first type of NAL units without picture data.
const firstParameterSet = 32

// exif returns the EXIF block that describes the primary picture, or nil.
func (m *meta) exif() []byte {
	for from, to := range m.references["cdsc"] {
		i := m.items[from]
		if i == nil || i.kind != "Exif" || len(to) == 0 || to[0] != m.primary {
			continue
		}
		content, err := m.content(i)
		if err != nil || len(content) < 4 {
			return nil
		}
		skip := uint64(binary.BigEndian.Uint32(content)) + 4
		if skip > uint64(len(content)) {
			return nil
		}
		return content[skip:]
	}
	return nil
}

func (i *item) String() string { return fmt.Sprintf("%q item", i.kind) }
