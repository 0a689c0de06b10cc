package arch

// mediaFloors returns the libraries allowed for each media package. Media code is shared by
// all systems.
func mediaFloors() (floors []Floor) {
	const (
		media  = "stoa/internal/media/"
		images = "golang.org/x/image/..."
		xsync  = "golang.org/x/sync/..."
	)
	for _, m := range []struct {
		of  string
		may []string
	}{
		{"blob", []string{aws}},
		{"blob/s3test", []string{aws, "github.com/johannesboyne/gofakes3/..."}},
		{"signedurl", nil},
		{"serve", []string{media + "blob", media + "signedurl", kit + "pace", kit + "turns"}},
		{"picture", []string{media + "picture/heif", media + "picture/raster", images, xsync}},
		{"picture/raster", nil},
		{"picture/picturetest", nil},
		{"picture/heif", []string{media + "picture/raster", "github.com/tetratelabs/wazero/...", xsync}},
		{"picture/heif/heiftest/...", []string{media + "picture/picturetest"}},
		{"lettering", []string{images}},
		{"art", []string{media + "lettering", media + "picture"}},
		{"stock", []string{media + "blob", media + "picture", images}},
		{"video", []string{media + "blob", kit + "turns", xsync, "golang.org/x/sys/unix"}},
		{"video/videotest", nil},
		{"renditions", []string{media + "blob", media + "picture", media + "signedurl", xsync}},
	} {
		floors = append(floors, Floor{Of: []string{media + m.of}, May: m.may, Never: systems,
			Because: "media machinery handles bytes and knows no system"})
	}
	return floors
}
