package graph

import "stoa"

// PostPage is a page of a list of posts before anything is left out: which posts
// of it the viewer sees is settled when its items are asked for.
type PostPage struct {
	PostIDs   []stoa.PostID
	NextToken *string
}
