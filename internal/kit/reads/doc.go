// Package reads declares details that can be read with an object.
//
// Some fields show a detail that costs a separate read, such as whether the viewer likes a
// post, or the users mentioned in it. A system declares its details in Go, with Names, and
// in its schema the fields that show them:
//
//	likeStatus: LikeStatus! @reads(detail: LIKE_MARK)
//
// Package selection then determines the details that a selection shows, so that exactly
// these are read together with the objects.
//
// An object records the details that were read, and panics with Unread if another one is
// used: the response then has a null with an error, and the log the reason, but the value is
// never wrong.
package reads
