package trace

import "context"

// On reports whether ctx has a trace.
func On(ctx context.Context) bool { return spanOf(ctx) != nil }
