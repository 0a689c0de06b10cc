package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"unicode"
)

// origins are the origins whose pages may read responses in a browser.
type origins struct {
	any    bool
	listed map[string]bool
	// local allows pages of this machine, whatever their port.
	local bool
}

func parseOrigins(list []string, local bool) (origins, error) {
	o := origins{listed: map[string]bool{}, local: local}
	for _, origin := range list {
		if origin == "*" {
			o.any = true
			continue
		}
		u, err := url.Parse(origin)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(u.Host, "*") || !strings.EqualFold(origin, u.Scheme+"://"+u.Host) {
			return o, fmt.Errorf("cors-origins: %q is not an origin: write scheme and host, as in https://app.example, or *", origin)
		}
		if strings.ContainsFunc(origin, func(r rune) bool { return r > unicode.MaxASCII }) {
			return o, fmt.Errorf("cors-origins: browsers send %q in another form: write the host in ASCII, which begins with xn--", origin)
		}
		o.listed[asBrowsersSend(u)] = true
	}
	return o, nil
}

// asBrowsersSend returns an origin in the form of the header Origin: in lower case, and without
// the port that its scheme implies.
func asBrowsersSend(u *url.URL) string {
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); port == "" || port == defaultPorts[scheme] {
		host = strings.TrimSuffix(host, ":"+port)
	}
	return scheme + "://" + host
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

// allows reports whether pages of an origin may read responses.
func (o origins) allows(origin string) bool {
	return o.any || o.names(origin)
}

// opens reports whether pages of an origin may open sockets. Credentials are always explicit,
// unlike cookies, so all may unless the operator has listed some.
func (o origins) opens(origin string) bool {
	return len(o.listed) == 0 || o.allows(origin)
}

// names reports whether an origin is listed, or is of this machine where that is enough.
func (o origins) names(origin string) bool {
	if o.listed[strings.ToLower(origin)] {
		return true
	}
	if !o.local {
		return false
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && loopback[strings.ToLower(u.Hostname())]
}

// loopback are the hosts under which developers open pages that their own machine serves.
var loopback = map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true}

const (
	allowedMethods = "GET, POST, PUT, DELETE, OPTIONS"
	allowedHeaders = "authorization, content-type, accept, x-api-key, x-amz-date, x-amz-security-token, x-amz-user-agent, " +
		"x-real-version, x-real-device, x-real-system, x-real-uid, x-request-id, cache-control, last-event-id, idempotency-key"
	exposedHeaders = "x-request-id, x-amzn-errortype, retry-after, etag"
	preflightAge   = "86400"
)

// allow answers preflight requests and adds CORS headers to responses. Origins listed by
// name may send credentials, which "*" never allows. A refused preflight is logged, because
// browsers do not tell pages why it was refused.
func (s *Server) allow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o := &s.tuned.Load().origins
		origin := header(r.Header, "Origin")
		if origin == "" {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		switch {
		case o.names(origin):
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Credentials", "true")
		case o.any:
			h.Set("Access-Control-Allow-Origin", "*")
		}
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			h.Set("Access-Control-Expose-Headers", exposedHeaders)
			next.ServeHTTP(w, r)
			return
		}
		if o.allows(origin) {
			h.Set("Access-Control-Allow-Methods", allowedMethods)
			h.Set("Access-Control-Allow-Headers", allowedHeaders)
			h.Set("Access-Control-Max-Age", preflightAge)
		} else {
			s.config.Log.Warn("refused a page of another origin: list it in cors-origins to allow it", slog.String("origin", origin))
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
