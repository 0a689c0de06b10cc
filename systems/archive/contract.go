package archive

import _ "embed"

// Contract is the whole API as clients consume it.
//
//go:embed schema.graphqls
var Contract string
