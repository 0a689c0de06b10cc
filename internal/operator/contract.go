package operator

import _ "embed"

// Contract is the whole API as clients use it.
//
//go:embed schema.graphqls
var Contract string
