package main

import (
	"net/http"
	"syscall"
	"testing"
)

// BenchmarkFirstAnswer measures the time from starting the program on an empty directory
// until it has created its tables and keys, issued a token and answered a query.
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
