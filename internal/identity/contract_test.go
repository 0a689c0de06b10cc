package identity_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"stoa/internal/identity"
)

// contract is the OpenAPI document. It is safe for concurrent use.
type contract struct {
	*openapi3.T
	mu       sync.Mutex
	compiler *jsonschema.Compiler
}

var openAPI = sync.OnceValue(func() *contract {
	doc, err := openapi3.NewLoader().LoadFromData([]byte(identity.OpenAPI))
	if err != nil {
		panic(err)
	}
	resource, err := jsonschema.UnmarshalJSON(strings.NewReader(identity.OpenAPI))
	if err != nil {
		panic(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("contract:", resource); err != nil {
		panic(err)
	}
	return &contract{T: doc, compiler: compiler}
})

// operations returns the documented operations by method and path.
func (c *contract) operations() map[string]*openapi3.Operation {
	all := map[string]*openapi3.Operation{}
	for path, item := range c.Paths.Map() {
		for method, o := range item.Operations() {
			all[method+" "+path] = o
		}
	}
	return all
}

// pointer returns the JSON pointer of members of the document, or of what a reference in
// their place names.
func pointer(reference string, members ...string) string {
	if reference != "" {
		return reference
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for i, m := range members {
		members[i] = escape.Replace(m)
	}
	return "#/" + strings.Join(members, "/")
}

// valid checks a value against the schema of a media type, which stands below a pointer.
// Objects may have no other members than those documented.
func (c *contract) valid(below, mediaType string, schema *openapi3.SchemaRef, value any) error {
	c.mu.Lock()
	compiled, err := c.compiler.Compile("contract:" + below + "/content/" + strings.ReplaceAll(mediaType, "/", "~1") + "/schema")
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if err := compiled.Validate(value); err != nil {
		return err
	}
	if more := undocumented(schema, value); len(more) > 0 {
		return fmt.Errorf("the members %q are not documented", more)
	}
	return nil
}

// undocumented returns the names of members that a schema does not list.
func undocumented(schema *openapi3.SchemaRef, value any) (names []string) {
	switch v := value.(type) {
	case []any:
		for _, element := range v {
			names = append(names, undocumented(schema.Value.Items, element)...)
		}
	case map[string]any:
		known := members(schema)
		for name, member := range v {
			if s := known[name]; s == nil {
				names = append(names, name)
			} else if len(members(s)) > 0 || s.Value.Items != nil {
				names = append(names, undocumented(s, member)...)
			}
		}
	}
	return names
}

// members returns the members of the objects that a schema describes.
func members(schema *openapi3.SchemaRef) openapi3.Schemas {
	all := openapi3.Schemas{}
	for _, part := range schema.Value.AllOf {
		for name, s := range members(part) {
			all[name] = s
		}
	}
	for name, s := range schema.Value.Properties {
		all[name] = s
	}
	return all
}

// check compares an exchange with the document. Sent is the body of the request, or nil.
func (c *contract) check(method string, address *url.URL, sent []byte, got response) error {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	item := c.Paths.Value(address.Path)
	if item == nil {
		return c.checkResponse("#/components/responses/NotFound", c.Components.Responses["NotFound"], got)
	}
	o := item.GetOperation(method)
	if o == nil {
		return c.checkUnknownMethod(item, got)
	}
	status := strconv.Itoa(got.status)
	documented := o.Responses.Value(status)
	if documented == nil {
		return fmt.Errorf("the status %s is not documented", status)
	}
	below := pointer(documented.Ref, "paths", address.Path, strings.ToLower(method), "responses", status)
	if err := c.checkResponse(below, documented, got); err != nil || got.status >= 300 {
		return err
	}
	for _, p := range o.Parameters {
		if p.Value.Required && !address.Query().Has(p.Value.Name) {
			return fmt.Errorf("the parameter %s is not required", p.Value.Name)
		}
	}
	if o.RequestBody == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(sent)))
	if err != nil {
		return err
	}
	below = pointer(o.RequestBody.Ref, "paths", address.Path, strings.ToLower(method), "requestBody")
	if err := c.valid(below, "application/json", o.RequestBody.Value.Content["application/json"].Schema, value); err != nil {
		return fmt.Errorf("a request that succeeds is not documented: %w", err)
	}
	return nil
}

// checkUnknownMethod checks the response to a method that is not documented. The side API
// asks for a key first.
func (c *contract) checkUnknownMethod(item *openapi3.PathItem, got response) error {
	name := "MethodNotAllowed"
	for _, o := range item.Operations() {
		if slices.Contains(o.Tags, "side") {
			name = "Side" + name
			if got.status == http.StatusForbidden {
				name = "SideForbidden"
			}
		}
	}
	if name != "SideForbidden" && got.status != http.StatusMethodNotAllowed && got.status != http.StatusNotFound {
		return fmt.Errorf("the method is not documented")
	}
	if got.status == http.StatusNotFound {
		name = "NotFound" // a request of dev identity
	}
	return c.checkResponse("#/components/responses/"+name, c.Components.Responses[name], got)
}

func (c *contract) checkResponse(below string, documented *openapi3.ResponseRef, got response) error {
	for name, h := range documented.Value.Headers {
		if h.Value.Required && got.header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	mediaType, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	if len(documented.Value.Content) == 0 && mediaType == "" && got.raw == "" {
		return nil
	}
	content := documented.Value.Content[mediaType]
	if content == nil {
		return fmt.Errorf("the media type %q is not documented", mediaType)
	}
	var value any = got.raw
	if mediaType == "application/json" {
		var err error
		if value, err = jsonschema.UnmarshalJSON(strings.NewReader(got.raw)); err != nil {
			return err
		}
	}
	return c.valid(below, mediaType, content.Schema, value)
}

// follows fails the test unless an exchange is as documented. It is called for all requests
// of all tests of this package.
func (r response) follows(method, address string, sent []byte) {
	r.t.Helper()
	u, err := url.ParseRequestURI(address)
	if err == nil {
		err = openAPI().check(method, u, sent, r)
	}
	if err != nil {
		r.t.Errorf("%s %s with %s answers %d %s, but is not documented so: %v", method, address, sent, r.status, r.raw, err)
	}
}

func TestOpenAPIIsWellFormed(t *testing.T) {
	c := openAPI()
	if err := c.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	for name, o := range c.operations() {
		method, path, _ := strings.Cut(name, " ")
		at := []string{"paths", path, strings.ToLower(method)}
		if o.RequestBody != nil {
			below := pointer(o.RequestBody.Ref, append(slices.Clone(at), "requestBody")...)
			c.examples(t, below, o.RequestBody.Value.Content)
		}
		for status, r := range o.Responses.Map() {
			c.examples(t, pointer(r.Ref, append(slices.Clone(at), "responses", status)...), r.Value.Content)
		}
	}
}

func (c *contract) examples(t *testing.T, below string, content openapi3.Content) {
	t.Helper()
	for mediaType, m := range content {
		for name, e := range examples(m) {
			if err := c.valid(below, mediaType, m.Schema, e.Value.Value); err != nil {
				t.Errorf("%s: %s: %v", below, name, err)
			}
		}
	}
}

// examples returns all examples of a media type.
func examples(m *openapi3.MediaType) openapi3.Examples {
	if m.Example != nil {
		return openapi3.Examples{"example": {Value: &openapi3.Example{Value: m.Example}}}
	}
	return m.Examples
}
