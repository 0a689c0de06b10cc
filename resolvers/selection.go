package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"stoa/social"
)

// details are the fields that cost reads of their own.
var details = map[string]social.Detail{
	"likeStatus":      social.LikeMark,
	"viewedStatus":    social.ViewMark,
	"flagStatus":      social.FlagMark,
	"textTaggedUsers": social.TaggedUsers,
	"followerStatus":  social.FollowerTie,
	"blockedStatus":   social.BlockedTie,
}

// within are the fields whose values come with their parent, so that what is asked
// of them is read with it. Lists of their own, such as a user's posts, are not.
var within = map[string]bool{
	"items": true, "postedBy": true, "commentedBy": true, "textTaggedUsers": true, "user": true,
}

// everything is read of single items, where it costs a few keys of one call.
const everything = social.LikeMark | social.ViewMark | social.FlagMark | social.TaggedUsers | social.BothWays

// asked returns the details that the selection of the field at hand shows. Fields
// under @skip and @include count as asked for.
func asked(ctx context.Context) social.Detail {
	return detailsOf(graphql.GetFieldContext(ctx).Field.Selections)
}

func detailsOf(set ast.SelectionSet) (d social.Detail) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			d |= details[s.Name]
			if within[s.Name] {
				d |= detailsOf(s.SelectionSet)
			}
		case *ast.InlineFragment:
			d |= detailsOf(s.SelectionSet)
		case *ast.FragmentSpread:
			d |= detailsOf(s.Definition.SelectionSet)
		}
	}
	return d
}
