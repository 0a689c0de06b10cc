package heif

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"stoa/internal/media/picture/raster"
)

// hevc.wasm.gz is libde265, with the door that wasm/decode.c gives it. wasm/build.sh
// makes it.
//
//go:embed hevc.wasm.gz
var module []byte

// maxPages limits a decoder's memory, in pages of 64 KiB.
const maxPages = 512 << 20 >> 16

// machine is the compiled decoder. Each picture gets an instance with its own memory.
type machine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// decoder compiles the module on first use, which takes a moment.
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

// facts are the properties of a picture returned by wasm/decode.c: an array of 32-bit
// integers.
const (
	factWidth = iota
	factHeight
	factChroma
	factMatrix
	factFullRange
	factPlanes // for each plane: samples, stride, width, height, bits

	factsPerPlane = 5
	facts         = factPlanes + 3*factsPerPlane
)

// coded is a decoded picture with its colour properties.
type coded struct {
	*raster.Raster
	matrix matrix
}

// decodeHEVC decodes NAL units, each after its length in 4 bytes, into one picture.
func decodeHEVC(ctx context.Context, units []byte) (*coded, error) {
	m, err := decoder()
	if err != nil {
		return nil, err
	}
	// The instance has no access to files, output or a clock.
	instance, err := m.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, err
	}
	defer instance.Close(ctx)
	call := func(name string, args ...uint64) (uint64, error) {
		results, err := instance.ExportedFunction(name).Call(ctx, args...)
		if err != nil {
			return 0, fmt.Errorf("%w: %w", Error("not decodable"), err)
		}
		if results[0] == 0 {
			return 0, Error("not decodable")
		}
		return results[0], nil
	}
	at, err := call("malloc", facts*4)
	if err != nil {
		return nil, err
	}
	in, err := call("malloc", uint64(max(1, len(units))))
	if err != nil {
		return nil, err
	}
	memory := instance.Memory()
	memory.Write(uint32(in), units)
	if _, err := call("decode", in, uint64(len(units)), at); err != nil {
		return nil, err
	}
	told, ok := memory.Read(uint32(at), facts*4)
	if !ok {
		return nil, Error("not decodable")
	}
	return readPicture(memory, bytes.Clone(told))
}

// readPicture copies a picture from the decoder's memory, which is released with the
// instance.
func readPicture(memory api.Memory, told []byte) (*coded, error) {
	fact := func(n int) int { return int(int32(binary.LittleEndian.Uint32(told[4*n:]))) }
	r := &raster.Raster{Width: fact(factWidth), Height: fact(factHeight), StepX: 1, StepY: 1}
	planes := 3
	switch fact(factChroma) {
	case 0:
		planes = 1
	case 1:
		r.StepX, r.StepY = 2, 2
	case 2:
		r.StepX = 2
	}
	for i := range planes {
		of := factPlanes + i*factsPerPlane
		p, err := readPlane(memory, uint32(fact(of)), fact(of+1), fact(of+2), fact(of+3), fact(of+4))
		if err != nil {
			return nil, err
		}
		stepX, stepY := 1, 1
		if i > 0 {
			stepX, stepY = r.StepX, r.StepY
		}
		if p.Width != ceil(r.Width, stepX) || p.Height != ceil(r.Height, stepY) {
			return nil, Error("chroma of another size than the picture")
		}
		r.Planes = append(r.Planes, *p)
	}
	return &coded{r, matrixOf(uint16(fact(factMatrix)), fact(factFullRange) == 0)}, nil
}

// readPlane reads samples of up to 16 bits and converts them to 8 bits.
func readPlane(memory api.Memory, at uint32, stride, width, height, bits int) (*raster.Plane, error) {
	size := 1
	if bits > 8 {
		size = 2
	}
	if width <= 0 || height <= 0 || width > maxSide || height > maxSide || stride < width*size || bits < 8 || bits > 16 {
		return nil, Error("not decodable")
	}
	p := &raster.Plane{Width: width, Height: height, Stride: width, Pix: make([]byte, width*height)}
	for y := range height {
		row, ok := memory.Read(at+uint32(y*stride), uint32(width*size))
		if !ok {
			return nil, Error("not decodable")
		}
		to := p.Pix[y*width:][:width]
		if size == 1 {
			copy(to, row)
			continue
		}
		for x := range to {
			to[x] = byte(binary.LittleEndian.Uint16(row[2*x:]) >> (bits - 8))
		}
	}
	return p, nil
}

func ceil(a, b int) int { return (a + b - 1) / b }
