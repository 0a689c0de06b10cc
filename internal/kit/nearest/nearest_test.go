package nearest

import "testing"

func TestWord(t *testing.T) {
	known := []string{"listen", "Store", "push", "serve"}
	for word, want := range map[string]string{
		"listne": "listen", "STORE": "Store", "sevre": "serve", "stor": "Store",
		"port": "", "service_host": "", "x": "", "": "",
	} {
		if got := Word(word, known); got != want {
			t.Errorf("%q means %q, want %q", word, got, want)
		}
	}
}
