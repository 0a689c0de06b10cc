package picture

// Size is a named box that pictures are scaled down to fit into. The name is part of file
// names.
type Size struct {
	Name          string
	Width, Height int
}

// Sizes are the sizes of every picture besides its native one, from large to small. Each is
// derived from the previous one.
var Sizes = []Size{
	{"4K", 3840, 2160},
	{"1080p", 1920, 1080},
	{"480p", 854, 480},
	{"64p", 114, 64},
}

// Native is the name of a picture's native size.
const Native = "native"

// Names returns the names of all sizes of a picture, the native one first.
func Names() []string {
	names := []string{Native}
	for _, s := range Sizes {
		names = append(names, s.Name)
	}
	return names
}
