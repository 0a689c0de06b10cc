package wire

import (
	"net/http"
	"net/url"
	"strings"
)

// checkSigned returns an error for requests without a complete Signature Version 4, in the
// Authorization header or in the query. It does not verify the signature.
func checkSigned(r *http.Request) error {
	given := header(r, "Authorization")
	if r.URL.RawQuery == "" && strings.HasPrefix(given, "AWS4-") {
		return checkHeader(given, r)
	}
	query := r.URL.Query()
	inQuery := query.Has("X-Amz-Algorithm")
	switch {
	case given != "" && inQuery:
		return &fault{"InvalidSignatureException",
			"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}
	case inQuery:
		return checkQuery(query)
	case strings.HasPrefix(given, "AWS4-"):
		return checkHeader(given, r)
	default:
		return &fault{"MissingAuthenticationTokenException", "Request is missing Authentication Token"}
	}
}

func checkHeader(authorization string, r *http.Request) error {
	var missing strings.Builder
	_, parameters, _ := strings.Cut(authorization, " ")
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if !hasParameter(parameters, name) {
			missing.WriteString("Authorization header requires '" + name + "' parameter. ")
		}
	}
	if header(r, "X-Amz-Date") == "" && header(r, "Date") == "" {
		missing.WriteString("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ")
	}
	if missing.Len() == 0 {
		return nil
	}
	return &fault{"IncompleteSignatureException", missing.String() + "Authorization=" + authorization}
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
