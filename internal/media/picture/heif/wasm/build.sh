#!/bin/sh
# Builds ../hevc.wasm.gz from Debian's source package of libde265, on Debian 12 with:
#   apt-get install clang-14 lld-14 wasi-libc libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 \
#     libclang-rt-14-dev-wasm32 dpkg-dev
# and a `deb-src` line for bookworm. The decoder runs in one thread and without exceptions.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
apt-get source -q libde265/bookworm
source=$(echo "$work"/libde265-*/)
sed 's/@NUMERIC_VERSION@/0x01001100/; s/@PACKAGE_VERSION@/1.0.11/' \
	"$source/libde265/de265-version.h.in" >"$source/libde265/de265-version.h"
target='--target=wasm32-wasi -O3 -msimd128 -DNDEBUG -w'
for file in "$source"/libde265/*.cc; do
	name=$(basename "$file" .cc)
	case $name in en265 | image-io | quality | visualize) continue ;; esac
	clang++-14 $target -std=c++14 -fno-exceptions -DHAVE_STDINT_H -DHAVE_ALLOCA_H -DHAVE_POSIX_MEMALIGN \
		-I"$here/include" -I"$source" -I"$source/libde265" -c "$file" -o "$name.o"
done
clang-14 $target -I"$source" -c "$here/decode.c" -o decode.o
clang++-14 $target -mexec-model=reactor -fno-exceptions -Wl,--export=malloc -Wl,--strip-all \
	-Wl,-z,stack-size=1048576 ./*.o -o hevc.wasm
gzip -9 -n <hevc.wasm >"$here/../hevc.wasm.gz"
rm -r "$work"
