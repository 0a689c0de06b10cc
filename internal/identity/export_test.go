package identity

// Fields returns the fields allowed in the body of each request, by method and path.
func (s *Issuer) Fields() map[string][]string {
	fields := map[string][]string{}
	for path, methods := range s.endpoints() {
		for method, e := range methods {
			fields[method+" "+path] = e.fields
		}
	}
	return fields
}

// Limits of fields.
const (
	MinPassword, MaxPassword = minPassword, maxPassword
	MaxEmail, MaxBody        = maxEmail, maxBody
)

// PhoneForm is the regular expression of phone numbers.
func PhoneForm() string { return phoneForm.String() }
