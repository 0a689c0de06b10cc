package graph

import "stoa/social"

// PostPage is a page of a list of posts before anything is left out: which posts
// of it the viewer sees is settled when its items are asked for.
type PostPage struct {
	PostIDs   []social.PostID
	NextToken *string
}
