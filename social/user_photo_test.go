package social

import "testing"

// users P2 and P3: a user without a photo gets one of the placeholders, if there are any.
func TestPlaceholderPhoto(t *testing.T) {
	if got := PlaceholderPhoto(nil, ana, noon); got != "" {
		t.Errorf("without placeholders %q", got)
	}
	codes := []string{"a", "b", "c"}
	drawn := map[string]bool{}
	for i := range 50 {
		drawn[PlaceholderPhoto(codes, ana, noon.AddDate(0, 0, i))] = true
	}
	if len(drawn) != len(codes) {
		t.Errorf("drawn %v of %v", drawn, codes)
	}
	u := &User{UserID: ana, PlaceholderPhotoCode: "a"}
	for _, c := range []struct {
		photo              PostID
		relation           Relation
		files, placeholder string
	}{
		{"", Relation{}, "", "a"},
		{"p", Relation{}, string(ana) + "/profile-photo/p", ""},
		{"p", Relation{BlockedBy: true}, "", ""},
		{"", Relation{BlockedBy: true}, "", ""},
	} {
		u.PhotoPostID = c.photo
		if files, placeholder := see(u, c.relation).PhotoShown(); files != c.files || placeholder != c.placeholder {
			t.Errorf("%+v: %q, %q", c, files, placeholder)
		}
	}
}
