package storetest

import "stoa/internal/kit/faultdb"

// Calls is a client that counts and forwards calls, and fails them on request.
type Calls = faultdb.Client
