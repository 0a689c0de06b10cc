package picture

// Size is a box that pictures are reduced to fit into, and the name it goes by in the
// names of files.
type Size struct {
	Name          string
	Width, Height int
}

// Sizes are what every picture is kept in besides its native size, from large to small.
// Each is made from the one before.
var Sizes = []Size{
	{"4K", 3840, 2160},
	{"1080p", 1920, 1080},
	{"480p", 854, 480},
	{"64p", 114, 64},
}

// Native is the name of a picture's own size.
const Native = "native"

// Names are those of all sizes of a picture, the native one first.
func Names() []string {
	names := []string{Native}
	for _, s := range Sizes {
		names = append(names, s.Name)
	}
	return names
}
