package nearest

import "testing"

func TestWord(t *testing.T) {
	known := []string{"listen", "push", "run", "serve"}
	for word, want := range map[string]string{
		"listne": "listen", "LISTEN": "listen", "sevre": "serve", "port": "", "service_host": "", "rnu": "run", "rnx": "", "x": "", "": "",
	} {
		if got := Word(word, known); got != want {
			t.Errorf("%q means %q, want %q", word, got, want)
		}
	}
}
