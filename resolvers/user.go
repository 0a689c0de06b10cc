package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) CreateCognitoOnlyUser(ctx context.Context, username string, fullName *string) (*social.SeenUser, error) {
	return r.Users.Create(ctx, viewer.From(ctx), username, optional.Or(fullName, ""))
}

func (r *mutationResolver) SetUserDetails(ctx context.Context, username *string, fullName *string, displayName *string, bio *string, privacyStatus *social.PrivacyStatus, followCountsHidden *bool, viewCountsHidden *bool, commentsDisabled *bool, likesDisabled *bool, sharingDisabled *bool, verificationHidden *bool, languageCode *string, themeCode *string, photoPostID *string, dateOfBirth *string, gender *social.UserGender, location *social.Location, height *int, matchAgeRange *social.RangeInput, matchGenders []social.UserGender, matchLocationRadius *int, matchHeightRange *social.RangeInput) (*social.SeenUser, error) {
	return r.Users.SetDetails(ctx, social.CallerFrom(ctx), social.UserEdit{
		PhotoPostID: (*social.PostID)(photoPostID),
		Username:    username, FullName: fullName, DisplayName: displayName, Bio: bio,
		LanguageCode: languageCode, ThemeCode: themeCode, Privacy: privacyStatus,
		FollowCountsHidden: followCountsHidden, ViewCountsHidden: viewCountsHidden,
		CommentsDisabled: commentsDisabled, LikesDisabled: likesDisabled,
		SharingDisabled: sharingDisabled, VerificationHidden: verificationHidden,
		DateOfBirth: dateOfBirth, Gender: gender, Location: location, Height: height,
		MatchAgeRange: matchAgeRange, MatchGenders: matchGenders, MatchLocationRadius: matchLocationRadius, MatchHeightRange: matchHeightRange,
	})
}

func (r *mutationResolver) SetUserAPNSToken(ctx context.Context, token string) (*social.SeenUser, error) {
	return r.Users.SetAPNSToken(ctx, social.CallerFrom(ctx), token)
}

func (r *mutationResolver) SetUserAcceptedEULAVersion(ctx context.Context, version string) (*social.SeenUser, error) {
	return r.Users.SetDetails(ctx, social.CallerFrom(ctx), social.UserEdit{AcceptedEULAVersion: &version})
}

func (r *queryResolver) Self(ctx context.Context) (*social.SeenUser, error) {
	return r.Users.Self(ctx, viewer.From(ctx))
}

func (r *queryResolver) User(ctx context.Context, userID string) (*social.SeenUser, error) {
	return r.seenUser(ctx, social.UserID(userID))
}

func (r *queryResolver) UsernameStatus(ctx context.Context, username string) (social.UsernameStatus, error) {
	return r.Users.UsernameStatus(ctx, viewer.From(ctx), username)
}

func (r *Resolver) User() graph.UserResolver { return &userResolver{r} }

type userResolver struct{ *Resolver }
