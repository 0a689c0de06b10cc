package ops

import "stoa/internal/kit/keyspec"

// The progress of importing a file into these tables. It exists from before the first item
// until everything has been verified: meanwhile, the tables are incomplete.
var imports = keyspec.Define[importItem](Table, keyspec.Row{
	Key: keyspec.K("import/{name}", "-"),
})

type importItem struct {
	Name string `dynamo:"name,keyonly"`
	// FileID identifies the file.
	FileID string `dynamo:"fileId"`
	// Chunks is the number of chunks stored; Checksum is that of the last one.
	Chunks   int64  `dynamo:"chunks"`
	Checksum string `dynamo:"checksum"`
	// Beside is set if the tables had other items before.
	Beside bool `dynamo:"beside"`
}
