package graph

import (
	"encoding/json"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// text returns an error for scalar values that are not JSON strings.
func text(scalar string, v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s must be a string, not %v", scalar, v)
	}
	return s, nil
}

func malformed(scalar, value, example string) error {
	return fmt.Errorf("%q is no %s: write it like %s", value, scalar, example)
}

// MarshalAWSEmail writes an address unmodified.
func MarshalAWSEmail(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSEmail parses a bare address, without a name or angle brackets, and preserves
// its case.
func UnmarshalAWSEmail(v any) (string, error) {
	s, err := text("AWSEmail", v)
	if err != nil {
		return "", err
	}
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		return "", malformed("AWSEmail", s, "name@example.com")
	}
	return s, nil
}

// MarshalAWSPhone writes a number unmodified.
func MarshalAWSPhone(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// phone matches groups of digits separated by single spaces or hyphens. A + precedes the
// country code; North American numbers may omit both.
var phone = regexp.MustCompile(`^\+?\d+(?:[ -]\d+)*$`)

// UnmarshalAWSPhone parses a phone number: 7 to 15 digits after a +, or ten digits in North
// America.
func UnmarshalAWSPhone(v any) (string, error) {
	s, err := text("AWSPhone", v)
	if err != nil {
		return "", err
	}
	digits := len(s) - strings.Count(s, " ") - strings.Count(s, "-") - strings.Count(s, "+")
	international := strings.HasPrefix(s, "+") && digits >= 7 && digits <= 15
	if !phone.MatchString(s) || !international && (strings.HasPrefix(s, "+") || digits != 10) {
		return "", malformed("AWSPhone", s, "+12025550123")
	}
	return s, nil
}

// MarshalAWSURL writes a URL unmodified.
func MarshalAWSURL(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSURL parses a URL with a scheme and without a double slash in its path.
func UnmarshalAWSURL(v any) (string, error) {
	s, err := text("AWSURL", v)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" || strings.Contains(u.Path, "//") {
		return "", malformed("AWSURL", s, "https://example.com/a/b")
	}
	return s, nil
}

// MarshalAWSIPAddress writes an address unmodified.
func MarshalAWSIPAddress(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSIPAddress parses an IPv4 or IPv6 address with an optional CIDR suffix.
func UnmarshalAWSIPAddress(v any) (string, error) {
	s, err := text("AWSIPAddress", v)
	if err != nil {
		return "", err
	}
	if _, err := netip.ParseAddr(s); err != nil {
		if _, err := netip.ParsePrefix(s); err != nil {
			return "", malformed("AWSIPAddress", s, "192.0.2.1")
		}
	}
	return s, nil
}

// MarshalAWSJSON writes a JSON document as a string.
func MarshalAWSJSON(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// UnmarshalAWSJSON accepts a string that contains any JSON document.
func UnmarshalAWSJSON(v any) (string, error) {
	s, err := text("AWSJSON", v)
	if err != nil {
		return "", err
	}
	if !json.Valid([]byte(s)) {
		return "", malformed("AWSJSON", s, `{\"a\":1}`)
	}
	return s, nil
}
