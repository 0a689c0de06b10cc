package heif

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"stoa/internal/media/picture/raster"
)

// heif.wasm.gz is libheif and libde265 as github.com/gen2brain/heic ships them; a test
// holds it to the version in go.mod. That package itself would load a shared library
// when there is one, and can neither be stopped nor bounded.
//
//go:embed heif.wasm.gz
var module []byte

// maxPages bounds a decoder's memory, in pages of 64 KiB.
const maxPages = 512 << 20 >> 16

// machine is the compiled decoder. Each picture gets an instance with memory of its own.
type machine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// decoder compiles the module when it is first needed, which takes half a second.
var decoder = sync.OnceValues(func() (*machine, error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(module))
	if err != nil {
		return nil, err
	}
	code, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPages))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, err
	}
	compiled, err := runtime.CompileModule(ctx, code)
	if err != nil {
		return nil, err
	}
	return &machine{runtime, compiled}, nil
})

// How the module names colour spaces and the resolution of chroma.
const (
	spaceYCbCr      = 0
	spaceMonochrome = 2

	chroma420 = 1
	chroma422 = 2
	chroma444 = 3
)

// decodeHEVC decodes a file of one coded picture.
func decodeHEVC(ctx context.Context, file []byte) (*raster.Raster, error) {
	m, err := decoder()
	if err != nil {
		return nil, err
	}
	// Neither output nor clock: the instance is given nothing of the process.
	instance, err := m.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	defer instance.Close(ctx)
	memory := instance.Memory()
	call := func(name string, args ...uint64) (uint64, error) {
		results, err := instance.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", Error("not decodable"), err)
		}
		return results[0], nil
	}
	alloc := func(size int) (uint64, error) {
		at, err := call("malloc", uint64(size))
		if err == nil && at == 0 {
			err = Error("takes more memory than allowed")
		}
		return at, err
	}

	in, err := alloc(len(file))
	if err != nil {
		return nil, err
	}
	memory.Write(uint32(in), file)
	const facts = 5 // width, height, colour space, chroma, alpha
	at, err := alloc(facts * 4)
	if err != nil {
		return nil, err
	}
	decode := func(headerOnly, out uint64) error {
		ok, err := call("decode", in, uint64(len(file)), headerOnly, at, at+4, at+8, at+12, at+16, out)
		if err == nil && ok == 0 {
			err = Error("not decodable")
		}
		return err
	}
	if err := decode(1, 0); err != nil {
		return nil, err
	}
	fact := func(n uint32) int {
		v, _ := memory.ReadUint32Le(uint32(at) + n*4)
		return int(v)
	}
	width, height, space, chroma := fact(0), fact(1), fact(2), fact(3)
	p, err := layout(width, height, space, chroma)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, plane := range p.Planes {
		size += plane.Stride * plane.Height
	}
	out, err := alloc(size)
	if err != nil {
		return nil, err
	}
	if err := decode(0, out); err != nil {
		return nil, err
	}
	pixels, ok := memory.Read(uint32(out), uint32(size))
	if !ok {
		return nil, Error("not decodable")
	}
	pixels = bytes.Clone(pixels) // the instance's memory ends with it
	for i := range p.Planes {
		plane := &p.Planes[i]
		n := plane.Stride * plane.Height
		plane.Pix, pixels = pixels[:n:n], pixels[n:]
	}
	return p, nil
}

// layout says how the module writes a picture: plane after plane, in rows of a multiple
// of 16 bytes.
func layout(width, height, space, chroma int) (*raster.Raster, error) {
	if width <= 0 || height <= 0 || width > maxSide || height > maxSide {
		return nil, Error("not decodable")
	}
	p := &raster.Raster{Width: width, Height: height, StepX: 1, StepY: 1}
	switch {
	case space == spaceMonochrome:
	case space == spaceYCbCr && chroma == chroma420:
		p.StepX, p.StepY = 2, 2
	case space == spaceYCbCr && chroma == chroma422:
		p.StepX = 2
	case space == spaceYCbCr && chroma == chroma444:
	default:
		return nil, errorf("colour space %d with chroma %d is not supported", space, chroma)
	}
	p.Planes = []raster.Plane{{Width: width, Height: height}}
	if space != spaceMonochrome {
		c := raster.Plane{Width: ceil(width, p.StepX), Height: ceil(height, p.StepY)}
		p.Planes = append(p.Planes, c, c)
	}
	for i := range p.Planes {
		p.Planes[i].Stride = (p.Planes[i].Width + 15) &^ 15
	}
	return p, nil
}

func ceil(a, b int) int { return (a + b - 1) / b }
