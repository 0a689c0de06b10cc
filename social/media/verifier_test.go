package media

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/social"
)

// posts Q18: what the verification service is asked, and that its failure is one of processing.
func TestVerificationService(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		image    *social.PostImage
		status   int
		answer   string
		question string
		verdict  bool
		reason   string
	}{
		"verified": {&social.PostImage{Format: social.ImageJPEG, OriginalFormat: "JPG", TakenInReal: &yes}, 200, `{"data": {"isVerified": true}}`,
			`{"url":"https://u/n.jpg?a=b\u0026c","metadata":{"imageFormat":"JPEG","originalFormat":"JPG","takenInReal":true}}`, true, ""},
		"nothing said":      {nil, 200, `{"data": {"isVerified": false}}`, `{"url":"https://u/n.jpg?a=b\u0026c","metadata":{}}`, false, ""},
		"no verdict":        {nil, 200, `{"data": {}}`, "", false, "Image cannot be verified: the service gives no verdict"},
		"not JSON":          {nil, 200, `oops`, "", false, "Image cannot be verified: "},
		"the service fails": {nil, 500, `{"data": {"isVerified": true}}`, "", false, "Image cannot be verified: the service answers 500"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				if r.Method != http.MethodPost || r.URL.Path != "/root/verify/image" || r.Header.Get("x-api-key") != "secret" || c.question != "" && string(body) != c.question {
					t.Errorf("asked %s %s with key %q: %s", r.Method, r.URL, r.Header.Get("x-api-key"), body)
				}
				w.WriteHeader(c.status)
				if _, err := io.WriteString(w, c.answer); err != nil {
					t.Error(err)
				}
			}))
			defer server.Close()
			v := &VerificationService{Root: server.URL + "/root/", Key: "secret", Client: server.Client()}
			verdict, err := v.Verify(t.Context(), "https://u/n.jpg?a=b&c", c.image)
			reason := ""
			if unfit := (*social.Unfit)(nil); errors.As(err, &unfit) {
				reason = unfit.Reason
			} else if err != nil {
				t.Fatal(err)
			}
			if verdict != c.verdict || (reason == "") != (c.reason == "") || !strings.HasPrefix(reason, c.reason) {
				t.Errorf("%v, %q; want %v, %q", verdict, reason, c.verdict, c.reason)
			}
		})
	}
}
