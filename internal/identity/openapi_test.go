package identity_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"stoa/internal/identity"
)

// side returns the requests of the side API, which it tells by refusing all other methods.
func (h *house) side() (requests []string) {
	h.t.Helper()
	for path := range h.issuer.SideAPI() {
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if h.do(method, path, nil, key...).status != http.StatusMethodNotAllowed {
				requests = append(requests, method+" "+path)
			}
		}
	}
	return requests
}

// exportRequest is answered by the host.
const exportRequest = "GET /auth/me/export"

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestOpenAPIListsTheRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*identity.Config)
	}{
		{"dev", func(*identity.Config) {}},
		{"local", func(c *identity.Config) { local(&postbox{})(c); c.APIKeys = []string{"key-2"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, c.change)
			served := slices.Concat(sorted(h.issuer.Fields()), h.side(), []string{exportRequest})
			documented := openAPI().operations()
			maps.DeleteFunc(documented, func(_ string, o *openapi3.Operation) bool {
				return c.name != "dev" && slices.Contains(o.Tags, "development")
			})
			slices.Sort(served)
			if got := sorted(documented); !slices.Equal(got, served) {
				t.Errorf("documented are\n%s\nserved are\n%s", strings.Join(got, "\n"), strings.Join(served, "\n"))
			}
		})
	}
}

func TestOpenAPIListsTheFields(t *testing.T) {
	operations := openAPI().operations()
	for request, fields := range newHouse(t).issuer.Fields() {
		documented := []string{}
		if body := operations[request].RequestBody; body != nil {
			schema := body.Value.Content["application/json"].Schema.Value
			documented = sorted(schema.Properties)
			if open := schema.AdditionalProperties.Has; open == nil || *open {
				t.Errorf("%s: other fields are allowed", request)
			}
		}
		if want := slices.Sorted(slices.Values(fields)); !slices.Equal(documented, want) {
			t.Errorf("%s: documented are %q, known are %q", request, documented, want)
		}
	}
}

func TestOpenAPIHasTheLimits(t *testing.T) {
	c := openAPI()
	schemas := c.Components.Schemas
	if p := schemas["Password"].Value; p.MinLength != identity.MinPassword || *p.MaxLength != identity.MaxPassword {
		t.Errorf("a password has %d to %d characters", p.MinLength, *p.MaxLength)
	}
	if e := schemas["Email"].Value; *e.MaxLength != identity.MaxEmail {
		t.Errorf("an address has %d characters", *e.MaxLength)
	}
	if p := schemas["Phone"].Value; p.Pattern != identity.PhoneForm() {
		t.Errorf("a phone number matches %s", p.Pattern)
	}
	if limit := fmt.Sprintf("%d,%d bytes", identity.MaxBody/1000, identity.MaxBody%1000); !strings.Contains(c.Info.Description, limit) {
		t.Errorf("the description lacks %q", limit)
	}
}

// TestOpenAPIListsTheErrors compares the document with the table of docs/errors.md.
func TestOpenAPIListsTheErrors(t *testing.T) {
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Identity errors")
	var want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (\\d+) \\| `([A-Z_]+)`").FindAllStringSubmatch(table, -1) {
		want = append(want, row[1]+" "+row[2])
	}
	found := map[string]bool{}
	add := func(status string, r *openapi3.ResponseRef) {
		for _, e := range examples(r.Value.Content["application/json"]) {
			found[fmt.Sprint(status, " ", e.Value.Value.(object)["error"].(object)["code"])] = true
		}
	}
	add("405", openAPI().Components.Responses["MethodNotAllowed"])
	for _, o := range openAPI().operations() {
		for status, r := range o.Responses.Map() {
			if status >= "400" && !slices.Contains(o.Tags, "side") {
				add(status, r)
			}
		}
	}
	if got := sorted(found); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("documented are %q, docs/errors.md lists %q", got, want)
	}
}

// TestOpenAPISeesEveryRequest makes each request with success, so that each response is
// compared with the document.
func TestOpenAPISeesEveryRequest(t *testing.T) {
	h := newHouse(t)
	id := h.ana()
	h.names["ana"] = given
	h.post("/auth/resend", object{"userId": id})
	h.post("/auth/confirm", object{"userId": id, "code": h.code(id)})
	h.turn(time.Minute) // the outbox shows the newest message first
	h.post("/auth/forgot", object{"email": "ana@example.com"})
	h.post("/auth/reset", object{"userId": id, "code": h.code(id), "password": password})
	tokens := h.signIn("userId", id)
	h.get("/auth/me", bearer(tokens.text("accessToken"))...)
	tokens = h.post("/auth/refresh", object{"refreshToken": tokens.text("refreshToken")})
	h.post("/auth/sign-out", object{"refreshToken": tokens.text("refreshToken")})
	h.post("/auth/dev/token", object{"user": id})
	other := h.post("/auth/sign-up", object{"email": "ben@example.com", "password": password}).text("userId")
	h.do("POST", "/user/confirm?userId="+other+"&code="+h.code(other), nil, key...)
	h.do("DELETE", "/auth/me", nil, bearer(h.post("/auth/anonymous", nil).text("accessToken"))...)
	for _, path := range []string{"/auth/password-key", "/auth/openapi.json", "/.well-known/jwks.json", "/.well-known/openid-configuration"} {
		h.get(path)
	}
	h.get("/username/status?username=ana", key...)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.succeeded[exportRequest] = true // answered by the host, and tested there
	if got, want := sorted(h.succeeded), sorted(openAPI().operations()); !slices.Equal(got, want) {
		t.Errorf("succeeded have %q, documented are %q", got, want)
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	r := newHouse(t, local(&postbox{})).get("/auth/openapi.json").want(200)
	if r.raw != identity.OpenAPI || r.header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("answered %v %s", r.header, r.raw)
	}
}
