// Package reads names what can be read besides an object itself.
//
// Some fields show a detail that costs a read of its own: whether the viewer likes a
// post, who is mentioned in it. A system declares its details in Go, with Names, and says
// in its schema which field shows which:
//
//	likeStatus: LikeStatus! @reads(detail: LIKE_MARK)
//
// Package selection then tells a resolver which details its selection shows, so that all
// of them are read together with the objects and none in vain.
//
// An object keeps the details that were read for it, and panics with Unread when another
// is asked of it: a null with an error in the answer and the reason in the log, and never
// a wrong value.
package reads
