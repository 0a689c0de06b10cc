#!/bin/sh
# Makes the coded pictures of this package. Needs ffmpeg with libx265.
set -eu
scene() { # scene WIDTH HEIGHT TILE TILES FILE QP FILTER FLAGS
	go run ./internal/scene "$1" "$2" "$3" >"$5.png"
	ffmpeg -v error -y -i "$5.png" -vf "untile=$4,$7" -c:v libx265 \
		-x265-params "keyint=1:min-keyint=1:qp=$6:log-level=error:info=0:$8" -f hevc "$5.hevc"
	rm "$5.png"
}
full='range=full:colormatrix=smpte170m'
scene 4032 3024 512 8x6 phone 34 'scale=out_range=full:out_color_matrix=smpte170m,format=yuv420p' "$full"
scene 300 200 128 3x2 small 18 'scale=out_range=full:out_color_matrix=smpte170m,format=yuv420p' "$full"
scene 300 200 128 3x2 limited 18 'scale=out_range=limited:out_color_matrix=bt709,format=yuv420p' 'range=limited:colormatrix=bt709'
# What another decoder makes of the tiles.
ffmpeg -v error -y -i small.hevc -pix_fmt yuvj420p -f framemd5 - | grep -v '^#' | sed 's/.* //' >small.md5
