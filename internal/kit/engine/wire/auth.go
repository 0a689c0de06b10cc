package wire

import (
	"net/http"
	"net/url"
	"strings"
)

// checkSigned refuses requests that carry no complete Signature Version 4, in the
// Authorization header or in the query. The signature itself is not verified.
func checkSigned(r *http.Request) error {
	header := r.Header.Get("Authorization")
	if r.URL.RawQuery == "" && strings.HasPrefix(header, "AWS4-") {
		return checkHeader(header, r.Header)
	}
	query := r.URL.Query()
	inQuery := query.Has("X-Amz-Algorithm")
	switch {
	case header != "" && inQuery:
		return &fault{"InvalidSignatureException",
			"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}
	case inQuery:
		return checkQuery(query)
	case strings.HasPrefix(header, "AWS4-"):
		return checkHeader(header, r.Header)
	default:
		return &fault{"MissingAuthenticationTokenException", "Request is missing Authentication Token"}
	}
}

func checkHeader(header string, all http.Header) error {
	var missing strings.Builder
	_, parameters, _ := strings.Cut(header, " ")
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if !hasParameter(parameters, name) {
			missing.WriteString("Authorization header requires '" + name + "' parameter. ")
		}
	}
	if all.Get("X-Amz-Date") == "" && all.Get("Date") == "" {
		missing.WriteString("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ")
	}
	if missing.Len() == 0 {
		return nil
	}
	return &fault{"IncompleteSignatureException", missing.String() + "Authorization=" + header}
}

func hasParameter(parameters, name string) bool {
	for p := range strings.SplitSeq(parameters, ",") {
		if key, v, _ := strings.Cut(strings.TrimSpace(p), "="); key == name && v != "" {
			return true
		}
	}
	return false
}

func checkQuery(query url.Values) error {
	var missing strings.Builder
	for _, name := range []string{"X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"} {
		if query.Get(name) == "" {
			missing.WriteString("AWS query-string parameters must include '" + name + "'. ")
		}
	}
	if missing.Len() == 0 {
		return nil
	}
	return &fault{"IncompleteSignatureException", missing.String() + "Re-examine the query-string parameters."}
}
