package ops

import (
	"context"
	"slices"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stamp"
	"stoa/internal/kit/stored"
	"stoa/internal/kit/viewer"
	"stoa/internal/outbox"
)

// Identities stores identities, their sessions, and the keys that sign their tokens. All
// reads are consistent and by primary key.
type Identities struct{ db *keyspec.DB }

// Identity returns the identity of a user.
func (s *Identities) Identity(ctx context.Context, id viewer.UserID) (identity.Identity, bool, error) {
	item, err := identities.Get(ctx, s.db, identities.Key(string(id)))
	if item == nil || err != nil {
		return identity.Identity{}, false, err
	}
	return *item, true, nil
}

// EmailHolder returns the identity with a verified e-mail address.
func (s *Identities) EmailHolder(ctx context.Context, email string) (viewer.UserID, bool, error) {
	item, err := identityEmails.Get(ctx, s.db, identityEmails.Key(email))
	if item == nil || err != nil {
		return "", false, err
	}
	return item.UserID, true, nil
}

// PhoneHolder returns the identity with a verified phone number.
func (s *Identities) PhoneHolder(ctx context.Context, phone string) (viewer.UserID, bool, error) {
	item, err := identityPhones.Get(ctx, s.db, identityPhones.Key(phone))
	if item == nil || err != nil {
		return "", false, err
	}
	return item.UserID, true, nil
}

// Claimant returns the identity that was created last among those whose owner has yet to
// verify a contact.
func (s *Identities) Claimant(ctx context.Context, contact string) (viewer.UserID, bool, error) {
	claims, _, err := identityClaims.Begins(keyspec.Primary, contact).Page(ctx, s.db, keyspec.Page{Limit: 1, Descending: true})
	if len(claims) == 0 || err != nil {
		return "", false, err
	}
	return claims[0].UserID, true, nil
}

// SaveIdentity replaces before by after and moves the guards of contacts that changed. It
// fails with a Conflict if before is no longer what is stored, or if another identity holds
// a contact of after.
func (s *Identities) SaveIdentity(ctx context.Context, before, after identity.Identity) error {
	tx := s.db.NewTx()
	ChangeIdentity(tx, identity.Change{Before: before, After: after})
	return stored.Outcome(tx.Run(ctx))
}

// SaveIdentityWith is SaveIdentity with events in the same transaction.
func (s *Identities) SaveIdentityWith(ctx context.Context, before, after identity.Identity, events ...outbox.Record) error {
	tx := s.db.NewTx()
	ChangeIdentity(tx, identity.Change{Before: before, After: after})
	Record(tx, events...)
	return stored.Outcome(tx.Run(ctx))
}

// ChangeIdentity adds a change to a transaction; see SaveIdentity. It requires that the
// stored identity is what was read, even if it does not change.
func ChangeIdentity(tx *keyspec.Tx, c identity.Change) {
	before, after := c.Before, c.After
	switch {
	case after.UserID == "":
		return
	case before == after && before.Revision == 0:
		identities.Check(tx, identities.Key(string(after.UserID))).Absent()
	case before == after:
		identities.Check(tx, identities.Key(string(after.UserID))).If("revision = ?", before.Revision)
	case before.Revision == 0:
		identities.Create(tx, after)
	default:
		identities.Change(tx, before, after).If("revision = ?", before.Revision)
	}
	if before.Email != after.Email {
		if before.Email != "" {
			identityEmails.Delete(tx, identityEmails.Key(before.Email)).If("userId = ?", before.UserID)
		}
		if after.Email != "" {
			identityEmails.Create(tx, identityEmailItem{Email: after.Email, UserID: after.UserID})
		}
	}
	if before.Phone != after.Phone {
		if before.Phone != "" {
			identityPhones.Delete(tx, identityPhones.Key(before.Phone)).If("userId = ?", before.UserID)
		}
		if after.Phone != "" {
			identityPhones.Create(tx, identityPhoneItem{Phone: after.Phone, UserID: after.UserID})
		}
	}
	claimed, claims := before.Claims(), after.Claims()
	for _, contact := range claimed {
		if !slices.Contains(claims, contact) {
			identityClaims.Delete(tx, identityClaims.Key(contact, stamp.MicroOf(before.CreatedAt), string(before.UserID)))
		}
	}
	for _, contact := range claims {
		if !slices.Contains(claimed, contact) {
			identityClaims.Put(tx, identityClaimItem{Contact: contact, CreatedAt: after.CreatedAt, UserID: after.UserID})
		}
	}
	moveLogin(tx, identity.Apple, after.UserID, before.Apple, after.Apple)
	moveLogin(tx, identity.Google, after.UserID, before.Google, after.Google)
	moveLogin(tx, identity.Facebook, after.UserID, before.Facebook, after.Facebook)
	if c.Family != nil {
		tokenFamilies.Create(tx, *c.Family)
		sessions.Put(tx, sessionOf(*c.Family))
	}
}

// moveLogin releases the login that an identity had and claims its new one.
func moveLogin(tx *keyspec.Tx, provider string, id viewer.UserID, before, after string) {
	if before == after {
		return
	}
	if before != "" {
		identityLogins.Delete(tx, identityLogins.Key(provider, before)).If("userId = ?", id)
	}
	if after != "" {
		identityLogins.Create(tx, identityLoginItem{Provider: provider, Subject: after, UserID: id})
	}
}

// LoginHolder returns the identity of a provider's login.
func (s *Identities) LoginHolder(ctx context.Context, provider, subject string) (viewer.UserID, bool, error) {
	item, err := identityLogins.Get(ctx, s.db, identityLogins.Key(provider, subject))
	if item == nil || err != nil {
		return "", false, err
	}
	return item.UserID, true, nil
}

// TokenFamily returns a family of refresh tokens.
func (s *Identities) TokenFamily(ctx context.Context, id string) (identity.TokenFamily, bool, error) {
	item, err := tokenFamilies.Get(ctx, s.db, tokenFamilies.Key(id))
	if item == nil || err != nil {
		return identity.TokenFamily{}, false, err
	}
	return *item, true, nil
}

// AddTokenFamily stores a new family.
func (s *Identities) AddTokenFamily(ctx context.Context, f identity.TokenFamily) error {
	tx := s.db.NewTx()
	tokenFamilies.Create(tx, f)
	sessions.Put(tx, sessionOf(f))
	return stored.Outcome(tx.Run(ctx))
}

// RotateTokenFamily replaces before by after. It fails with a Conflict if the family has
// been rotated or removed in the meantime.
func (s *Identities) RotateTokenFamily(ctx context.Context, before, after identity.TokenFamily) error {
	tx := s.db.NewTx()
	tokenFamilies.Change(tx, before, after).If("digest = ?", before.Digest)
	sessions.Put(tx, sessionOf(after)) // families of earlier versions have none
	return stored.Outcome(tx.Run(ctx))
}

// RemoveTokenFamily removes a family if there is one.
func (s *Identities) RemoveTokenFamily(ctx context.Context, id string) error {
	f, found, err := s.TokenFamily(ctx, id)
	if err != nil || !found {
		return err
	}
	tx := s.db.NewTx()
	sessions.Delete(tx, sessions.Key(string(f.UserID), id))
	tokenFamilies.Delete(tx, tokenFamilies.Key(id))
	return tx.Run(ctx)
}

// Sessions returns what is known of the latest sessions of a user whose tokens have at least the given
// version, latest first. It reads all of them.
func (s *Identities) Sessions(ctx context.Context, id viewer.UserID, version, limit int) ([]identity.TokenFamily, error) {
	var all []identity.TokenFamily
	for i, err := range sessions.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		if i.TokenVersion >= version {
			all = append(all, identity.TokenFamily{
				UserID: i.UserID, FamilyID: i.FamilyID, TokenVersion: i.TokenVersion, StartedAt: i.StartedAt, LastUsedAt: i.LastUsedAt, Origin: i.Origin,
			})
		}
	}
	slices.SortFunc(all, func(a, b identity.TokenFamily) int { return b.LastUsedAt.Compare(a.LastUsedAt) })
	return all[:min(limit, len(all))], nil
}

// Erase removes what is left of a deleted identity: its row, sessions and messages.
func (s *Identities) Erase(ctx context.Context, id viewer.UserID) error {
	if err := s.Forget(ctx, id); err != nil {
		return err
	}
	b := s.db.NewBulk()
	identities.DeleteIn(b, identities.Key(string(id)))
	return b.Run(ctx)
}

// Forget removes the sessions of a deleted identity, with their refresh tokens, and the messages
// to it.
func (s *Identities) Forget(ctx context.Context, id viewer.UserID) error {
	b := s.db.NewBulk()
	for i, err := range sessions.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return err
		}
		sessions.DeleteIn(b, sessions.KeyOf(&i))
		tokenFamilies.DeleteIn(b, tokenFamilies.Key(i.FamilyID))
	}
	for m, err := range identityMessages.Begins(keyspec.Primary, string(id)).All(ctx, s.db) {
		if err != nil {
			return err
		}
		identityMessages.DeleteIn(b, identityMessages.KeyOf(&m))
	}
	return b.Run(ctx)
}

// Keys returns the private keys of the given use.
func (s *Identities) Keys(ctx context.Context, use string) ([]identity.Key, error) {
	var keys []identity.Key
	for item, err := range identityKeys.Begins(keyspec.Primary, use).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, item)
	}
	return keys, nil
}

// AddKey stores a private key. It fails with a Conflict if the id is taken.
func (s *Identities) AddKey(ctx context.Context, k identity.Key) error {
	tx := s.db.NewTx()
	identityKeys.Create(tx, k)
	return stored.Outcome(tx.Run(ctx))
}

// RemoveKey removes a private key if there is one.
func (s *Identities) RemoveKey(ctx context.Context, use, id string) error {
	tx := s.db.NewTx()
	identityKeys.Delete(tx, identityKeys.Key(use, id))
	return tx.Run(ctx)
}

// AddMessage stores a message.
func (s *Identities) AddMessage(ctx context.Context, m identity.Message) error {
	tx := s.db.NewTx()
	identityMessages.Put(tx, m)
	return tx.Run(ctx)
}

// Messages returns the latest messages to a user, newest first.
func (s *Identities) Messages(ctx context.Context, id viewer.UserID, limit int) ([]identity.Message, error) {
	messages, _, err := identityMessages.Begins(keyspec.Primary, string(id)).Page(ctx, s.db, keyspec.Page{Limit: limit, Descending: true})
	return messages, err
}
