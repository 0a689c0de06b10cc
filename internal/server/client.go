package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// proxies are peers whose X-Forwarded-For headers are trusted.
type proxies []netip.Prefix

func parseProxies(list []string) (p proxies, err error) {
	for _, text := range list {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			var address netip.Addr
			if address, err = netip.ParseAddr(text); err != nil {
				return nil, fmt.Errorf("trusted-proxies: %q is neither an address nor a network: write one like 10.0.0.7 or 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		p = append(p, prefix)
	}
	return p, nil
}

func (p proxies) trust(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(prefix netip.Prefix) bool { return prefix.Contains(address) })
}

// resolve sets the remote address of requests forwarded by proxies to that of the client.
// Each proxy appends its own peer, so the last address that is not a proxy's is reliable;
// those before it are not.
func (p proxies) resolve(next http.Handler) http.Handler {
	if len(p) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client := p.clientOf(r); client != r.RemoteAddr {
			r = r.WithContext(r.Context()) // a copy: the original belongs to the caller
			r.RemoteAddr = client
		}
		next.ServeHTTP(w, r)
	})
}

func (p proxies) clientOf(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !p.trust(peer.Addr().Unmap()) {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	client := peer.Addr()
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		client = hop.Unmap()
		if !p.trust(client) {
			break
		}
	}
	return netip.AddrPortFrom(client, peer.Port()).String()
}

// hosts are the accepted host names besides IP addresses and localhost. Otherwise,
// anybody's domain that resolves to this machine would let their pages act as same-origin
// (DNS rebinding).
type hosts map[string]bool

func newHosts(names []string) hosts {
	h := hosts{}
	for _, name := range names {
		h[strings.ToLower(name)] = true
	}
	return h
}

// demand refuses requests to other host names, unless hosts is empty.
func (h hosts) demand(next http.Handler) http.Handler {
	if len(h) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.has(r.Host) {
			writeText(w, http.StatusMisdirectedRequest, "this server does not answer to the name "+r.Host+
				": call it by its address, or start it with the name in --public-url\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (h hosts) has(hostport string) bool {
	name := hostport
	if strings.Contains(name, ":") {
		if host, _, err := net.SplitHostPort(hostport); err == nil {
			name = host
		}
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") || h[name] {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}
