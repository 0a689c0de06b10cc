package socialtest

import "fmt"

// ViewPost makes a user report a view of a post.
func (g Given) ViewPost(viewer, postID string) Given {
	return g.Does(viewer, `mutation { reportPostViews(postIds: [%q]) }`, postID)
}

// Viewed returns users, of whom the first has a post p1 that n further users, viewer0 and so
// on, have viewed.
func Viewed(n int, names ...string) Given {
	var viewers []string
	for i := range n {
		viewers = append(viewers, fmt.Sprint("viewer", i))
	}
	g := Users(names...).Users(viewers...).Post(names[0], "p1")
	for _, name := range viewers {
		g = g.ViewPost(name, "p1")
	}
	return g
}

// FocusPost makes a user report a focus view of a post.
func (g Given) FocusPost(viewer, postID string) Given {
	return g.Does(viewer, `mutation { reportPostViews(postIds: [%q], viewType: FOCUS) }`, postID)
}
