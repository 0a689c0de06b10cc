// Package heiftest makes HEIC files for tests, as phones write them: tiles of HEVC in a
// grid.
//
// The coded pictures are scenes of package picturetest; generate.sh made them.
package heiftest

import (
	_ "embed"
	"strings"
)

//go:generate sh generate.sh

var (
	//go:embed phone.hevc
	phone []byte
	//go:embed small.hevc
	small []byte
	//go:embed limited.hevc
	limited []byte
	//go:embed small.md5
	sums string
)

// Sums are MD5 of the samples of each tile of Small, plane after plane, as another decoder
// found them.
func Sums() []string { return strings.Fields(sums) }

// Phone is a scene of 4032 by 3024 in 48 tiles, the shape of a 12-megapixel photograph.
func Phone() Still {
	return still(phone, Still{Columns: 8, Rows: 6, TileSize: 512, Width: 4032, Height: 3024, Matrix: 6})
}

// Small is a scene of 300 by 200 in 6 tiles.
func Small() Still {
	return still(small, Still{Columns: 3, Rows: 2, TileSize: 128, Width: 300, Height: 200, Matrix: 6})
}

// Limited is the scene of Small as television codes it, with BT.709's matrix.
func Limited() Still {
	s := still(limited, Still{Columns: 3, Rows: 2, TileSize: 128, Width: 300, Height: 200})
	s.Matrix, s.Limited = 1, true
	return s
}

func still(stream []byte, s Still) Still {
	var err error
	if s.parameterSets, s.tiles, err = accessUnits(stream); err != nil {
		panic(err)
	}
	return s
}
