package ops

import (
	"context"

	"stoa/internal/identity"
	"stoa/internal/kit/keyspec"
	"stoa/internal/kit/stored"
	"stoa/internal/kit/viewer"
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
	return item.identity(), true, nil
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

// SaveIdentity replaces before by after and moves the guards of contacts that changed. It
// fails with a Conflict if before is no longer what is stored, or if another identity holds
// a contact of after.
func (s *Identities) SaveIdentity(ctx context.Context, before, after identity.Identity) error {
	tx := s.db.NewTx()
	ChangeIdentity(tx, identity.Change{Before: before, After: after})
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
		identities.Create(tx, identityItemOf(after))
	default:
		identities.Change(tx, identityItemOf(before), identityItemOf(after)).If("revision = ?", before.Revision)
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
	moveLogin(tx, identity.Apple, after.UserID, before.Apple, after.Apple)
	moveLogin(tx, identity.Google, after.UserID, before.Google, after.Google)
	moveLogin(tx, identity.Facebook, after.UserID, before.Facebook, after.Facebook)
	if c.Family != nil {
		tokenFamilies.Create(tx, tokenFamilyItemOf(*c.Family))
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
	return identity.TokenFamily{
		FamilyID:     item.FamilyID,
		UserID:       item.UserID,
		Digest:       item.Digest,
		TokenVersion: item.TokenVersion,
		ExpiresAt:    item.ExpiresAt.Time(),
	}, true, nil
}

// AddTokenFamily stores a new family.
func (s *Identities) AddTokenFamily(ctx context.Context, f identity.TokenFamily) error {
	tx := s.db.NewTx()
	tokenFamilies.Create(tx, tokenFamilyItemOf(f))
	return stored.Outcome(tx.Run(ctx))
}

// RotateTokenFamily replaces before by after. It fails with a Conflict if the family has
// been rotated or removed in the meantime.
func (s *Identities) RotateTokenFamily(ctx context.Context, before, after identity.TokenFamily) error {
	tx := s.db.NewTx()
	tokenFamilies.Change(tx, tokenFamilyItemOf(before), tokenFamilyItemOf(after)).If("digest = ?", before.Digest)
	return stored.Outcome(tx.Run(ctx))
}

// RemoveTokenFamily removes a family if there is one.
func (s *Identities) RemoveTokenFamily(ctx context.Context, id string) error {
	tx := s.db.NewTx()
	tokenFamilies.Delete(tx, tokenFamilies.Key(id))
	return tx.Run(ctx)
}

// Keys returns the private keys of the given use.
func (s *Identities) Keys(ctx context.Context, use string) ([]identity.Key, error) {
	var keys []identity.Key
	for item, err := range identityKeys.Begins(keyspec.Primary, use).All(ctx, s.db) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, identity.Key{Use: item.Use, KeyID: item.KeyID, Private: item.Private, CreatedAt: item.CreatedAt.Time()})
	}
	return keys, nil
}

// AddKey stores a private key. It fails with a Conflict if the id is taken.
func (s *Identities) AddKey(ctx context.Context, k identity.Key) error {
	tx := s.db.NewTx()
	identityKeys.Create(tx, identityKeyItem{Use: k.Use, KeyID: k.KeyID, Private: k.Private, CreatedAt: keyspec.StampOf(k.CreatedAt)})
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
	identityMessages.Put(tx, identityMessageItem{
		UserID: m.UserID, SentAt: keyspec.StampOf(m.SentAt), MessageID: m.MessageID,
		Channel: m.Channel, To: m.To, Subject: m.Subject, Text: m.Text, Code: m.Code, Link: m.Link,
	})
	return tx.Run(ctx)
}

// Messages returns the latest messages to a user, newest first.
func (s *Identities) Messages(ctx context.Context, id viewer.UserID, limit int) ([]identity.Message, error) {
	items, _, err := identityMessages.Begins(keyspec.Primary, string(id)).Page(ctx, s.db, keyspec.Page{Limit: limit, Descending: true})
	if err != nil {
		return nil, err
	}
	messages := make([]identity.Message, len(items))
	for n, i := range items {
		messages[n] = identity.Message{
			MessageID: i.MessageID, UserID: i.UserID, SentAt: i.SentAt.Time(),
			Channel: i.Channel, To: i.To, Subject: i.Subject, Text: i.Text, Code: i.Code, Link: i.Link,
		}
	}
	return messages, nil
}

func identityItemOf(i identity.Identity) identityItem {
	return identityItem{
		UserID:       i.UserID,
		Entered:      i.Entered,
		PasswordHash: i.PasswordHash,
		Seeded:       i.Seeded,
		Email:        i.Email,
		Phone:        i.Phone,
		PendingEmail: pendingContactItemOf(i.PendingEmail),
		PendingPhone: pendingContactItemOf(i.PendingPhone),
		Apple:        i.Apple,
		Google:       i.Google,
		Facebook:     i.Facebook,
		Reset:        codeItemOf(i.Reset),
		TokenVersion: i.TokenVersion,
		CreatedAt:    keyspec.StampOf(i.CreatedAt),
		DeletedAt:    keyspec.StampOf(i.DeletedAt),
		Revision:     i.Revision,
	}
}

func (i *identityItem) identity() identity.Identity {
	return identity.Identity{
		UserID:       i.UserID,
		Entered:      i.Entered,
		PasswordHash: i.PasswordHash,
		Seeded:       i.Seeded,
		Email:        i.Email,
		Phone:        i.Phone,
		PendingEmail: i.PendingEmail.contact(),
		PendingPhone: i.PendingPhone.contact(),
		Apple:        i.Apple,
		Google:       i.Google,
		Facebook:     i.Facebook,
		Reset:        i.Reset.code(),
		TokenVersion: i.TokenVersion,
		CreatedAt:    i.CreatedAt.Time(),
		DeletedAt:    i.DeletedAt.Time(),
		Revision:     i.Revision,
	}
}

func pendingContactItemOf(p identity.PendingContact) *pendingContactItem {
	if p == (identity.PendingContact{}) {
		return nil
	}
	item := &pendingContactItem{Value: p.Value, Changing: p.Changing}
	if code := codeItemOf(p.Code); code != nil {
		item.Code = *code
	}
	return item
}

func (i *pendingContactItem) contact() identity.PendingContact {
	if i == nil {
		return identity.PendingContact{}
	}
	return identity.PendingContact{Value: i.Value, Code: i.Code.code(), Changing: i.Changing}
}

func codeItemOf(c identity.Code) *codeItem {
	if c == (identity.Code{}) {
		return nil
	}
	return &codeItem{Digest: c.Digest, ExpiresAt: keyspec.StampOf(c.ExpiresAt), TriesLeft: c.TriesLeft}
}

func (i *codeItem) code() identity.Code {
	if i == nil {
		return identity.Code{}
	}
	return identity.Code{Digest: i.Digest, ExpiresAt: i.ExpiresAt.Time(), TriesLeft: i.TriesLeft}
}

func tokenFamilyItemOf(f identity.TokenFamily) tokenFamilyItem {
	return tokenFamilyItem{
		FamilyID:     f.FamilyID,
		UserID:       f.UserID,
		Digest:       f.Digest,
		TokenVersion: f.TokenVersion,
		ExpiresAt:    keyspec.StampOf(f.ExpiresAt),
	}
}
