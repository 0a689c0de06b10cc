// Command scene writes a PNG of a scene, extended to whole tiles.
package main

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"strconv"

	"stoa/internal/media/picture/picturetest"
)

func main() {
	var n [3]int // width, height and tile size
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(os.Args[i+1]); err != nil {
			fail(err)
		}
	}
	scene := picturetest.Scene(n[0], n[1])
	whole := func(length int) int { return (length + n[2] - 1) / n[2] * n[2] }
	padded := image.NewRGBA(image.Rect(0, 0, whole(n[0]), whole(n[1])))
	for y := range padded.Rect.Dy() {
		for x := range padded.Rect.Dx() {
			padded.SetRGBA(x, y, scene.RGBAAt(min(x, n[0]-1), min(y, n[1]-1)))
		}
	}
	if err := png.Encode(os.Stdout, padded); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "scene:", err)
	os.Exit(1)
}
