package ops

import "stoa/internal/kit/keyspec"

// How far the import of a file into these tables has come. It is there from before
// the first item of the file until everything is verified: what is stored meanwhile is
// a part of something.
var imports = keyspec.Define[importItem](Table, keyspec.Row{
	Key: keyspec.K("import/{name}", "-"),
})

type importItem struct {
	Name string `dynamo:"name,keyonly"`
	// FileID tells the file from others.
	FileID string `dynamo:"fileId"`
	// Chunks is how much of the file is stored; Checksum is that of the last chunk.
	Chunks   int64  `dynamo:"chunks"`
	Checksum string `dynamo:"checksum"`
	// Beside says that the tables held other items before.
	Beside bool `dynamo:"beside"`
}
