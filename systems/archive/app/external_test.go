package app_test

import (
	"context"
	"testing"

	"stoa/internal/apptest"
	"stoa/internal/auth"
	"stoa/internal/host"
	"stoa/internal/kit/viewer"
	"stoa/systems/archive/app"
)

var _ interface {
	DisplayName(ctx context.Context, id viewer.UserID) string
	IssuerName() string
} = (*auth.External)(nil) // which is what the archive asks of identities

// named adds names to people, as given by an external issuer.
type named struct{ apptest.People }

func (named) DisplayName(context.Context, viewer.UserID) string { return "Ana Lind" }
func (named) IssuerName() string                                { return "https://issuer.example" }

// archive 5.1#1 and 8#first-sign-in: the name and the issuer are those of the token.
func TestUsersOfAnotherIssuer(t *testing.T) {
	t.Parallel()
	apptest.Test(t, app.System(app.Options{}), func(w *apptest.World) {
		id := w.People.Identity("ana")
		w.Asked("ana", `mutation { signIn { name email emailConfirmed issuer subject level } }`, nil, "signIn",
			`{"email":"ana@example.com","emailConfirmed":true,"issuer":"https://issuer.example","level":"READER","name":"Ana Lind","subject":"`+string(id)+`"}`)
		w.Whole()
	}, func(w *apptest.World, c *host.Config) { c.External = named{w.People} })
}
