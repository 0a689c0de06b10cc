package viewer

import (
	"strings"
	"testing"
)

func TestUserIDValid(t *testing.T) {
	const uuid = "7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f"
	for id, want := range map[UserID]bool{
		"us-east-1:" + uuid:       true,
		"us-gov-west-1:" + uuid:   true,
		"ap-southeast-12:" + uuid: true,
		uuid:                      false,
		":" + uuid:                false,
		"us:" + uuid:              false,
		"us-1:" + uuid:            false,
		"us--1:" + uuid:           false,
		"us-east-:" + uuid:        false,
		"us-east-one:" + uuid:     false,
		"usa-east-1:" + uuid:      false,
		"US-east-1:" + uuid:       false,
		"us-east-1:" + UserID(strings.ToUpper(uuid)):     false,
		"us-east-1:7f1c2c7e-52a4-1a0b-9c64-8e4e0e2d6d0f": false, // version 1
		"us-east-1:7f1c2c7e-52a4-4a0b-7c64-8e4e0e2d6d0f": false, // variant
		"us-east-1:7f1c2c7e52a4-4a0b-9c64-8e4e0e2d6d0ff": false,
		"us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0":  false,
		"us-east-1:" + uuid + "0":                        false,
		"us-east-1:" + uuid + "\n":                       false,
		"":                                               false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q is valid: %v, want %v", id, got, want)
		}
	}
}

func TestUserIDPossible(t *testing.T) {
	for id, want := range map[UserID]bool{
		"us-east-1:7f1c2c7e-52a4-4a0b-9c64-8e4e0e2d6d0f": true,
		"44c8a4b8-00a1-70d9-9a2b-1b2c3d4e5f60":           true, // of a Cognito user pool
		"110169484474386276334":                          true,
		"auth0|5f7c8ec7c33c6c004bbafe82":                 true,
		"ana@example.com":                                true,
		"AAAA_b-c=":                                      true,
		UserID(strings.Repeat("a", 128)):                 true,
		UserID(strings.Repeat("a", 129)):                 false,
		"":                                               false,
		"a/b":                                            false,
		"a#b":                                            false,
		"a b":                                            false,
		"a\n":                                            false,
		"ä":                                              false,
	} {
		if got := id.Possible(); got != want {
			t.Errorf("%q is possible: %v, want %v", id, got, want)
		}
	}
}
