package identity_test

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"stoa"
)

// memory is a Store of maps.
type memory struct {
	mu         sync.Mutex
	identities map[stoa.UserID]stoa.Identity
	contacts   map[string]stoa.UserID
	families   map[string]stoa.TokenFamily
	keys       map[string]stoa.IdentityKey
	messages   []stoa.IdentityMessage
}

func newMemory() *memory {
	return &memory{
		identities: map[stoa.UserID]stoa.Identity{},
		contacts:   map[string]stoa.UserID{},
		families:   map[string]stoa.TokenFamily{},
		keys:       map[string]stoa.IdentityKey{},
	}
}

func (m *memory) Identity(_ context.Context, id stoa.UserID) (stoa.Identity, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.identities[id]
	return i, ok, nil
}

func (m *memory) EmailHolder(_ context.Context, email string) (stoa.UserID, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id, ok := m.contacts["e"+email]
	return id, ok, nil
}

func (m *memory) PhoneHolder(_ context.Context, phone string) (stoa.UserID, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id, ok := m.contacts["p"+phone]
	return id, ok, nil
}

func (m *memory) SaveIdentity(_ context.Context, before, after stoa.Identity) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.identities[after.UserID].Revision != before.Revision {
		return stoa.Changed("revision")
	}
	wanted := []string{"e" + after.Email, "p" + after.Phone}
	for _, c := range wanted {
		if holder, held := m.contacts[c]; len(c) > 1 && held && holder != after.UserID {
			return stoa.Changed("contact")
		}
	}
	delete(m.contacts, "e"+before.Email)
	delete(m.contacts, "p"+before.Phone)
	for _, c := range wanted {
		if len(c) > 1 {
			m.contacts[c] = after.UserID
		}
	}
	m.identities[after.UserID] = after
	return nil
}

func (m *memory) RemoveIdentity(_ context.Context, i stoa.Identity) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.identities[i.UserID].Revision != i.Revision {
		return stoa.Changed("revision")
	}
	delete(m.identities, i.UserID)
	delete(m.contacts, "e"+i.Email)
	delete(m.contacts, "p"+i.Phone)
	return nil
}

func (m *memory) TokenFamily(_ context.Context, id string) (stoa.TokenFamily, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.families[id]
	return f, ok, nil
}

func (m *memory) AddTokenFamily(_ context.Context, f stoa.TokenFamily) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.families[f.FamilyID] = f
	return nil
}

func (m *memory) RotateTokenFamily(_ context.Context, before, after stoa.TokenFamily) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.families[before.FamilyID].Digest != before.Digest {
		return stoa.Changed("digest")
	}
	m.families[after.FamilyID] = after
	return nil
}

func (m *memory) RemoveTokenFamily(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.families, id)
	return nil
}

func (m *memory) Keys(_ context.Context, use string) ([]stoa.IdentityKey, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []stoa.IdentityKey
	for _, k := range m.keys {
		if k.Use == use {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

func (m *memory) AddKey(_ context.Context, k stoa.IdentityKey) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.keys[k.Use+"/"+k.KeyID]; ok {
		return stoa.Changed("key")
	}
	m.keys[k.Use+"/"+k.KeyID] = k
	return nil
}

func (m *memory) RemoveKey(_ context.Context, use, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.keys, use+"/"+id)
	return nil
}

func (m *memory) AddMessage(_ context.Context, message stoa.IdentityMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, message)
	return nil
}

func (m *memory) Messages(_ context.Context, id stoa.UserID, limit int) ([]stoa.IdentityMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []stoa.IdentityMessage
	for _, message := range m.messages {
		if message.UserID == id {
			found = append(found, message)
		}
	}
	slices.SortFunc(found, func(a, b stoa.IdentityMessage) int {
		return cmp.Or(b.SentAt.Compare(a.SentAt), cmp.Compare(b.MessageID, a.MessageID))
	})
	return found[:min(limit, len(found))], nil
}
