package account

import (
	"context"

	"stoa/internal/decision"
	"stoa/internal/kit/optional"
	"stoa/internal/kit/viewer"
	"stoa/systems/messaging"
)

// Devices returns the viewer's devices.
func (s *Service) Devices(ctx context.Context, v viewer.Viewer) ([]*messaging.Device, error) {
	self, err := messaging.Admit(ctx, s.Store, v.UserID)
	if err != nil {
		return nil, err
	}
	return self.SeenBy(v.UserID, false).Devices(), nil
}

// RegisterDevice registers a device for the viewer, and removes it from any other user.
func (s *Service) RegisterDevice(ctx context.Context, v viewer.Viewer, id string, p messaging.Platform, lang *string) (*messaging.Device, error) {
	return decision.Run(ctx, s.Frame, func(*decision.Attempt) (*messaging.Device, error) {
		self, err := messaging.Admit(ctx, s.Store, v.UserID)
		if err != nil {
			return nil, err
		}
		if err := messaging.CheckDevice(id, optional.Or(lang, "")); err != nil {
			return nil, err
		}
		from, err := s.Store.DeviceOwner(ctx, id)
		if err != nil {
			return nil, err
		}
		d := messaging.Device{ID: id, Platform: p, Lang: lang, LastSeen: s.Now()}
		var dropped []messaging.Device
		if n := len(self.Devices) + 1 - messaging.MaxDevices; self.Device(id) == nil && n > 0 {
			dropped = self.User.Devices[:n] // the least recently seen ones
		}
		return &d, s.Store.Register(ctx, self.User, d, from, dropped)
	})
}

// RemoveDevice removes a device of the viewer.
func (s *Service) RemoveDevice(ctx context.Context, v viewer.Viewer, id string) (bool, error) {
	self, err := messaging.Admit(ctx, s.Store, v.UserID)
	if err != nil || self.Device(id) == nil {
		return false, err
	}
	return s.Store.Unregister(ctx, v.UserID, id)
}
