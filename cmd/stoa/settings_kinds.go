package main

import (
	"errors"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
)

// Bytes is an amount of memory, written like GOMEMLIMIT: a number of bytes, or one followed
// by B, KiB, MiB, GiB or TiB.
type Bytes int64

// byteUnits are the units of Bytes, the largest first.
var byteUnits = []struct {
	name  string
	bytes Bytes
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

func (b Bytes) String() string {
	for _, u := range byteUnits {
		if b%u.bytes == 0 && b != 0 {
			return strconv.FormatInt(int64(b/u.bytes), 10) + u.name
		}
	}
	return "0B"
}

func (b Bytes) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

func (b *Bytes) UnmarshalText(text []byte) error {
	digits, unit := string(text), Bytes(1)
	for _, u := range byteUnits {
		if number, ok := strings.CutSuffix(digits, u.name); ok {
			digits, unit = number, u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || Bytes(n) > (1<<62)/unit {
		return errors.New("is not an amount of memory: write one like 512MiB or 2GiB")
	}
	*b = Bytes(n) * unit
	return nil
}

// IdentityMode determines the issuer of identities.
type IdentityMode string

const (
	// devIdentity is the built-in issuer, which shows anybody the codes it would send.
	devIdentity IdentityMode = "dev"
	// localIdentity is the built-in issuer, which sends codes by mail.
	localIdentity IdentityMode = "local"
	// oidcIdentity is an external OpenID Connect issuer.
	oidcIdentity IdentityMode = "oidc"
)

func (i IdentityMode) MarshalText() ([]byte, error) { return []byte(i), nil }

func (i *IdentityMode) UnmarshalText(text []byte) error {
	switch mode := IdentityMode(text); mode {
	case devIdentity, localIdentity, oidcIdentity:
		*i = mode
		return nil
	default:
		return errors.New("is not an identity provider: write dev, local or oidc")
	}
}

// LogLevel is the least level of lines that are logged.
type LogLevel slog.Level

func (l LogLevel) MarshalText() ([]byte, error) {
	return []byte(strings.ToLower(slog.Level(l).String())), nil
}

func (l *LogLevel) UnmarshalText(text []byte) error {
	level, ok := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}[string(text)]
	if !ok {
		return errors.New("is not a level: write debug, info, warn or error")
	}
	*l = LogLevel(level)
	return nil
}

// Storage is the location of the data: Dir, memory, Endpoint or, if all are zero, AWS.
type Storage struct {
	Dir      string
	Memory   bool
	Endpoint string
}

// Embedded reports whether the engine runs inside this process.
func (s Storage) Embedded() bool { return s.Dir != "" || s.Memory }

func (s Storage) String() string {
	switch {
	case s.Dir != "":
		return "embedded:" + s.Dir
	case s.Memory:
		return "memory:"
	case s.Endpoint != "":
		return s.Endpoint
	default:
		return "aws"
	}
}

func (s Storage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *Storage) UnmarshalText(text []byte) error {
	written := string(text)
	dir, embedded := strings.CutPrefix(written, "embedded:")
	address, err := url.Parse(written)
	switch {
	case embedded && dir != "":
		*s = Storage{Dir: dir}
	case written == "memory:":
		*s = Storage{Memory: true}
	case written == "aws":
		*s = Storage{}
	case err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.User == nil:
		*s = Storage{Endpoint: written}
	default:
		return errors.New("is not a store: write embedded:DIR, memory:, aws or the http(s)://ENDPOINT of a DynamoDB service")
	}
	return nil
}
