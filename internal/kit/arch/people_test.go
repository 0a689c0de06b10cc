package arch

// peopleFloors returns the libraries allowed for the packages of identities, tokens and
// push notifications.
func peopleFloors() (floors []Floor) {
	const (
		auth = "stoa/internal/auth"
		jose = "github.com/go-jose/go-jose/v4/..."
	)
	for _, m := range []struct {
		of  string
		may []string
	}{
		{kit + "words", []string{"github.com/rivo/uniseg", "golang.org/x/text/..."}},
		{kit + "search", []string{kit + "keyspec", kit + "together", kit + "words"}},
		{"stoa/internal/appstore/...", []string{"stoa/internal/appstore", kit + "refusal"}},
		{"stoa/internal/push", []string{kit + "trace", jose}},
		{auth + "/jwks", []string{jose}},
		{auth + "/provider", []string{auth + "/jwks", kit + "refusal", jose}},
		{auth + "/provider/providertest", []string{auth + "/provider", jose}},
	} {
		floors = append(floors, Floor{Of: []string{m.of}, May: m.may, Never: systems,
			Because: "machinery for people knows no system"})
	}
	return floors
}
