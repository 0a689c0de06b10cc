#!/bin/sh
# Makes what no encoder in Go writes. Needs ImageMagick, cwebp and img2webp.
set -eu
go run ../heif/heiftest/internal/scene 120 80 1 >scene.png
convert scene.png -colorspace CMYK -quality 90 cmyk.jpg
convert scene.png -interlace Plane -quality 90 progressive.jpg
convert scene.png -colorspace Gray -quality 90 gray.jpg
convert scene.png -sampling-factor 4x1,1x1,1x1 -quality 90 411.jpg
cwebp -quiet -q 80 scene.png -o lossy.webp
cwebp -quiet -lossless scene.png -o lossless.webp
convert scene.png -alpha set -channel A -evaluate set 50% alpha.png
cwebp -quiet -q 80 alpha.png -o alpha.webp
convert scene.png -flop flopped.png
img2webp -lossy scene.png flopped.png -o animated.webp >/dev/null
convert scene.png flopped.png animated.gif
heif-enc -A -q 60 scene.png -o scene.avif
rm scene.png alpha.png flopped.png
