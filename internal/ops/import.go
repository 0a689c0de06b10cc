package ops

import "stoa/internal/kit/keyspec"

// The progress of importing a file into these tables. It exists from before the first item
// until everything has been verified: meanwhile, the tables are incomplete.
var imports = keyspec.Define[importItem](Table, keyspec.Row{
	Key: keyspec.K("import/{name}", "-"),
})

type importItem struct {
	Name string `dynamo:"name,keyonly"`
	Import
}
