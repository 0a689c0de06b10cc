package main

import (
	"net/http"
	"syscall"
	"testing"
)

// BenchmarkFirstAnswer is the time from starting the program on an empty directory
// until it has made its tables and keys, let somebody in and answered their query.
func BenchmarkFirstAnswer(b *testing.B) {
	for b.Loop() {
		p := startProcess(b, "--store", "embedded:"+b.TempDir())
		token := post(b, p.url+"/auth/anonymous", "", http.StatusCreated, map[string]string{})["accessToken"].(string)
		post(b, p.url+"/graphql", token, http.StatusOK, map[string]string{"query": "{ __typename }"})
		b.StopTimer()
		p.end(syscall.SIGKILL)
		b.StartTimer()
	}
}
