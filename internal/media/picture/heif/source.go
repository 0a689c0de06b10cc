//go:build source

package heif

// Where heif.wasm.gz comes from, so that go.mod says which version.
import _ "github.com/gen2brain/heic"
