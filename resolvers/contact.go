package resolvers

import (
	"context"
	"stoa/graph"
	"stoa/social"
)

func (r *queryResolver) FindContacts(ctx context.Context, contacts []*graph.ContactInput) ([]*social.FoundContact, error) {
	asking := make(social.Contacts, len(contacts))
	for i, c := range contacts {
		asking[i] = social.Contact{ContactID: c.ContactID, Emails: c.Emails.Value(), Phones: c.Phones.Value()}
	}
	return r.Users.FindContacts(ctx, social.CallerFrom(ctx), asking, asked(ctx))
}
