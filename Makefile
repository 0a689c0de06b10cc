# Targets for people. `make help` lists them from the words after ##.
export CGO_ENABLED = 0

.DEFAULT_GOAL := help
.PHONY: help run build test generate check e2e bench

# What generators write, besides the playground's bundle that has a script of its own.
GENERATED = graph/*.generated.go graph/models_gen.go models_gen.go schema.graphqls store/SCHEMA.md

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## serve on http://127.0.0.1:8080 with data in ./data
	@exec bin/stoa serve $(ARGS)

build: ## build bin/stoa
	@go build -trimpath -o bin/stoa ./cmd/stoa

test: check ## vet, run all Go tests and check that generated files are fresh
	go vet ./...
	go test ./...

generate: ## write graph/, schema.graphqls and store/SCHEMA.md anew
	go tool gqlgen generate
	go test -count=1 -run Fresh ./graph ./store -update

check: ## fail when a generated file is stale
	@before=$$(cat $(GENERATED) | cksum); $(MAKE) --no-print-directory generate; \
	test "$$before" = "$$(cat $(GENERATED) | cksum)" || \
		{ echo "generated files were stale and are now fresh: look at the difference and commit it"; exit 1; }

e2e: build ## drive the real binary with Apollo Client, graphql-ws and GraphiQL in Chromium
	cd e2e && npm ci --no-audit --no-fund && npm test

bench: ## run the Go benchmarks
	go test -run '^$$' -bench . -benchmem ./...
