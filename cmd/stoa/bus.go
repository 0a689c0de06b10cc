package main

import (
	"errors"
	"log/slog"
	"net/url"

	"stoa/internal/kit/bus/nats"
	"stoa/internal/outbox"
)

// BusAddress is the address of the bus between processes: a NATS server or, if empty, none.
type BusAddress string

func (b BusAddress) MarshalText() ([]byte, error) {
	if b == "" {
		return []byte("memory"), nil
	}
	address, err := url.Parse(string(b))
	if err != nil {
		return nil, err
	}
	if _, named := address.User.Password(); address.User != nil && !named {
		address.User = url.User("xxxxx") // it is a token
	}
	return []byte(address.Redacted()), nil
}

func (b *BusAddress) UnmarshalText(text []byte) error {
	address, err := url.Parse(string(text))
	switch {
	case string(text) == "memory":
		*b = ""
	case err == nil && (address.Scheme == "nats" || address.Scheme == "tls") && address.Host != "":
		*b = BusAddress(text)
	default:
		return errors.New("is not a bus address: write memory for one process, or nats://HOST:PORT for several")
	}
	return nil
}

// openBus returns the configured bus, which is nil within one process, and a function that
// closes it.
func openBus(s Settings, log *slog.Logger) (outbox.Bus, func() error, error) {
	if s.Bus == "" {
		return nil, func() error { return nil }, nil
	}
	b, err := nats.Connect(string(s.Bus), s.TablePrefix+"bus", log)
	if err != nil {
		return nil, nil, errors.New(err.Error() + ": check --bus")
	}
	return b, b.Close, nil
}
