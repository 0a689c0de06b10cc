package resolvers

import (
	"context"
	"stoa"
	"stoa/graph"
)

func (r *mutationResolver) CreateCognitoOnlyUser(ctx context.Context, username string, fullName *string) (*stoa.SeenUser, error) {
	name := ""
	if fullName != nil {
		name = *fullName
	}
	return r.Users.Create(ctx, stoa.ViewerFrom(ctx), username, name)
}

func (r *mutationResolver) SetUserDetails(ctx context.Context, username *string, fullName *string, displayName *string, bio *string, privacyStatus *stoa.PrivacyStatus, followCountsHidden *bool, viewCountsHidden *bool, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool, languageCode *string, themeCode *string) (*stoa.SeenUser, error) {
	return r.Users.SetDetails(ctx, stoa.CallerFrom(ctx), stoa.UserDetails{
		Username: username, FullName: fullName, DisplayName: displayName, Bio: bio,
		LanguageCode: languageCode, ThemeCode: themeCode, Privacy: privacyStatus,
		FollowCountsHidden: followCountsHidden, ViewCountsHidden: viewCountsHidden,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
	})
}

func (r *queryResolver) Self(ctx context.Context) (*stoa.SeenUser, error) {
	return r.Users.Self(ctx, stoa.ViewerFrom(ctx))
}

func (r *queryResolver) User(ctx context.Context, userID string) (*stoa.SeenUser, error) {
	return r.seenUser(ctx, stoa.UserID(userID))
}

func (r *queryResolver) UsernameStatus(ctx context.Context, username string) (stoa.UsernameStatus, error) {
	return r.Users.UsernameStatus(ctx, username)
}

func (r *Resolver) User() graph.UserResolver { return &userResolver{r} }

type userResolver struct{ *Resolver }
