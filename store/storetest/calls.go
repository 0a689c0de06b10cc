package storetest

import "stoa/internal/kit/faultdb"

// Calls is a client that counts the calls it passes on and fails them on request.
type Calls = faultdb.Client
