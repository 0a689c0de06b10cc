package server_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"stoa/internal/server"
)

func TestASiteIsServedBesideTheAPI(t *testing.T) {
	s := newService(t, func(c *server.Config) {
		c.Playground = true
		c.Site = fstest.MapFS{
			"index.html":         {Data: []byte("<title>app</title>")},
			"assets/app-1a2b.js": {Data: []byte("run()")},
		}
	})
	for _, test := range []struct {
		method, path string
		status       int
		body, cache  string
	}{
		{"GET", "/", 200, "<title>app</title>", "no-cache"},
		{"GET", "/index.html", 200, "<title>app</title>", "no-cache"},
		{"GET", "/user/us-east-1:1", 200, "<title>app</title>", "no-cache"},
		{"GET", "/assets/app-1a2b.js", 200, "run()", "public, max-age=31536000, immutable"},
		{"GET", "/assets/app-0000.js", 404, "404", ""},
		{"POST", "/user/us-east-1:1", 405, "GET and HEAD", ""},
		{"GET", "/livez", 200, "ok", "no-store"},
		{"GET", "/playground/", 200, "playground", "no-cache"},
		{"GET", "/console", 404, "404", ""}, // operator 6#0: the site is not shown where the console would be
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(test.method, test.path, nil))
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) || w.Header().Get("Cache-Control") != test.cache {
			t.Errorf("%s %s answers %d, %q: %s", test.method, test.path, w.Code, w.Header().Get("Cache-Control"), w.Body)
		}
	}
}

func TestTheFrontPageNamesTheEndpoints(t *testing.T) {
	s := newService(t, func(c *server.Config) {
		c.Systems = append(c.Systems, c.Systems[0])
		c.Systems[1].Name, c.Systems[1].Path = "operator", "/operator/graphql"
		c.Systems[1].Admit = func(context.Context) error { return nil }
		c.Mounts = map[string]http.Handler{"/auth/": http.NotFoundHandler()}
	})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	for _, path := range []string{"/graphql ", "/auth/openapi.json", "/readyz"} {
		if w.Code != 200 || !strings.Contains(w.Body.String(), path) {
			t.Errorf("%d without %s: %s", w.Code, path, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "/operator") {
		t.Errorf("the graph of operators is named: %s", w.Body)
	}
	w = httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/elsewhere", nil))
	if w.Code != 404 {
		t.Errorf("another page answers %d", w.Code)
	}
}

func TestPagesOfThisMachine(t *testing.T) {
	var log bytes.Buffer
	s := newService(t, func(c *server.Config) {
		c.LocalOrigins, c.Log = true, slog.New(slog.NewTextHandler(&log, nil))
	})
	for origin, allowed := range map[string]bool{
		"http://localhost:5173": true, "http://127.0.0.1:4173": true, "http://[::1]:3000": true, "https://localhost": true,
		"http://localhost.evil.example": false, "https://app.example": false, "null": false, "file://localhost": false,
	} {
		log.Reset()
		r := httptest.NewRequest("OPTIONS", "/auth/sign-in", nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if got := w.Header().Get("Access-Control-Allow-Origin"); (got == origin) != allowed {
			t.Errorf("%s: Access-Control-Allow-Origin is %q", origin, got)
		}
		if logged := strings.Contains(log.String(), "cors-origins"); logged == allowed {
			t.Errorf("%s: the log says %q", origin, log.String())
		}
	}
}
