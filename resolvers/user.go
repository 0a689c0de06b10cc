package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) CreateCognitoOnlyUser(ctx context.Context, username string, fullName *string) (*social.SeenUser, error) {
	name := ""
	if fullName != nil {
		name = *fullName
	}
	return r.Users.Create(ctx, viewer.From(ctx), username, name)
}

func (r *mutationResolver) SetUserDetails(ctx context.Context, username *string, fullName *string, displayName *string, bio *string, privacyStatus *social.PrivacyStatus, followCountsHidden *bool, viewCountsHidden *bool, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool, languageCode *string, themeCode *string) (*social.SeenUser, error) {
	return r.Users.SetDetails(ctx, social.CallerFrom(ctx), social.UserDetails{
		Username: username, FullName: fullName, DisplayName: displayName, Bio: bio,
		LanguageCode: languageCode, ThemeCode: themeCode, Privacy: privacyStatus,
		FollowCountsHidden: followCountsHidden, ViewCountsHidden: viewCountsHidden,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	})
}

func (r *queryResolver) Self(ctx context.Context) (*social.SeenUser, error) {
	return r.Users.Self(ctx, viewer.From(ctx), asked(ctx))
}

func (r *queryResolver) User(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.seenUser(ctx, social.UserID(userID))
}

func (r *queryResolver) UsernameStatus(ctx context.Context, username string) (social.UsernameStatus, error) {
	return r.Users.UsernameStatus(ctx, username)
}

func (r *Resolver) User() graph.UserResolver { return &userResolver{r} }

type userResolver struct{ *Resolver }

// !!! WARNING !!!
// The code below was going to be deleted when updating resolvers. It has been copied here so you have
// one last chance to move it out of harms way if you want. There are two reasons this happens:
//  - When renaming or deleting a resolver the old code will be put in here. You can safely delete
//    it when you're done.
//  - You have helper methods in this file. Move them out to keep these resolver files clean.
/*
	func (r *paginatedUsersResolver) NextToken(ctx context.Context, obj *graph.PaginatedUsers) (*string, error) {
	panic(fmt.Errorf("not implemented: NextToken - nextToken"))
}
func (r *Resolver) PaginatedUsers() graph.PaginatedUsersResolver { return &paginatedUsersResolver{r} }
type (
	paginatedUsersResolver struct{ *Resolver }
	userResolver           struct{ *Resolver }
)
*/
