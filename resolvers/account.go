package resolvers

import (
	"context"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/viewer"
	"stoa/social"
)

func (r *mutationResolver) CreateAnonymousUser(ctx context.Context) (*social.CognitoTokens, error) {
	tokens, err := r.Users.CreateAnonymous(ctx, viewer.From(ctx))
	if err != nil {
		return nil, err
	}
	return &tokens, nil
}

func (r *mutationResolver) CreateAppleUser(ctx context.Context, username string, fullName *string, appleIDToken string) (*social.SeenUser, error) {
	return r.Users.CreateWithLogin(ctx, viewer.From(ctx), social.AppleLogin, appleIDToken, username, optional.Or(fullName, ""))
}

func (r *mutationResolver) CreateFacebookUser(ctx context.Context, username string, fullName *string, facebookAccessToken string) (*social.SeenUser, error) {
	return r.Users.CreateWithLogin(ctx, viewer.From(ctx), social.FacebookLogin, facebookAccessToken, username, optional.Or(fullName, ""))
}

func (r *mutationResolver) CreateGoogleUser(ctx context.Context, username string, fullName *string, googleIDToken string) (*social.SeenUser, error) {
	return r.Users.CreateWithLogin(ctx, viewer.From(ctx), social.GoogleLogin, googleIDToken, username, optional.Or(fullName, ""))
}

func (r *mutationResolver) LinkAppleLogin(ctx context.Context, appleIDToken string) (*social.SeenUser, error) {
	return r.Users.LinkLogin(ctx, social.CallerFrom(ctx), social.AppleLogin, appleIDToken)
}

func (r *mutationResolver) LinkFacebookLogin(ctx context.Context, facebookAccessToken string) (*social.SeenUser, error) {
	return r.Users.LinkLogin(ctx, social.CallerFrom(ctx), social.FacebookLogin, facebookAccessToken)
}

func (r *mutationResolver) LinkGoogleLogin(ctx context.Context, googleIDToken string) (*social.SeenUser, error) {
	return r.Users.LinkLogin(ctx, social.CallerFrom(ctx), social.GoogleLogin, googleIDToken)
}

func (r *mutationResolver) StartChangeUserEmail(ctx context.Context, email string) (*social.SeenUser, error) {
	return r.Users.StartContactChange(ctx, social.CallerFrom(ctx), social.ViaEmail, email)
}

func (r *mutationResolver) FinishChangeUserEmail(ctx context.Context, verificationCode string) (*social.SeenUser, error) {
	return r.Users.FinishContactChange(ctx, social.CallerFrom(ctx), social.ViaEmail, verificationCode)
}

func (r *mutationResolver) StartChangeUserPhoneNumber(ctx context.Context, phoneNumber string) (*social.SeenUser, error) {
	return r.Users.StartContactChange(ctx, social.CallerFrom(ctx), social.ViaSMS, phoneNumber)
}

func (r *mutationResolver) FinishChangeUserPhoneNumber(ctx context.Context, verificationCode string) (*social.SeenUser, error) {
	return r.Users.FinishContactChange(ctx, social.CallerFrom(ctx), social.ViaSMS, verificationCode)
}

func (r *mutationResolver) SetUserPassword(ctx context.Context, encryptedPassword string) (*social.SeenUser, error) {
	return r.Users.SetPassword(ctx, social.CallerFrom(ctx), encryptedPassword)
}

func (r *mutationResolver) ResetUser(ctx context.Context, newUsername *string) (*social.SeenUser, error) {
	return r.Users.Reset(ctx, viewer.From(ctx), optional.Or(newUsername, ""))
}

func (r *mutationResolver) DisableUser(ctx context.Context) (*social.SeenUser, error) {
	return r.Users.Disable(ctx, viewer.From(ctx))
}

func (r *mutationResolver) DeleteUser(ctx context.Context) (*social.SeenUser, error) {
	return r.Users.Delete(ctx, viewer.From(ctx))
}
