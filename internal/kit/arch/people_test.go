package arch

// peopleFloors gives the machinery that finds people and reaches them its libraries.
func peopleFloors() (floors []Floor) {
	for _, m := range []struct {
		of  string
		may []string
	}{
		{kit + "words", []string{"github.com/rivo/uniseg", "golang.org/x/text/..."}},
		{kit + "search", []string{kit + "keyspec", kit + "words"}},
	} {
		floors = append(floors, Floor{Of: []string{m.of}, May: m.may, Never: systems,
			Because: "machinery for people knows no system"})
	}
	return floors
}
