# Targets for people. `make help` lists them from the words after ##.
export CGO_ENABLED = 0
# The same flags everywhere: tests and builds share what is compiled.
export GOFLAGS = -trimpath

.DEFAULT_GOAL := help
.PHONY: help run build test generate check e2e e2e-app e2e-appsync e2e-dynamodb e2e-media e2e-disk bench bench-go bench-engine bench-messaging fuzz abuse

# What generators write or keep in step, besides the playground's bundle, which has a
# script of its own.
GENERATED = graph/*.go graph/testdata/unbuilt.txt resolvers/*.go schema.graphqls store/SCHEMA.md docs/visibility.md systems/*/graph/*.go systems/*/resolvers/*.go systems/*/store/SCHEMA.md bench/inmem/gen/*.go $(TESTGRAPH)/*.go $(TOY)/*.go
TESTGRAPH = internal/server/internal/testgraph
TOY = internal/host/toy
# Does what gqlgen does and writes plans as well.
PLANNER = stoa/internal/kit/gqlplan/generate

FUZZTIME ?= 10s

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: build ## serve on http://127.0.0.1:8080 with data in ./data
	@exec bin/stoa serve $(ARGS)

build: ## build bin/stoa
	@echo "building bin/stoa (the first time takes a minute or two)" >&2
	@go build -o bin/stoa ./cmd/stoa

test: check ## vet, run all Go tests and check that generated files are fresh
	go vet ./...
	go test ./...

generate: ## write what is generated anew
	go run $(PLANNER)
	for s in systems/*/; do (cd $$s && go run $(PLANNER)) || exit 1; done
	cd bench/inmem && go tool gqlgen generate
	cd $(TESTGRAPH) && go run $(PLANNER)
	cd $(TOY) && go run $(PLANNER)
	go test -count=1 -run Fresh ./graph ./store ./resolvers ./systems/*/store -update

check: ## fail when a generated file is stale
	@before=$$(cat $(GENERATED) | cksum); \
	$(MAKE) --no-print-directory generate || exit 1; \
	test "$$before" = "$$(cat $(GENERATED) | cksum)" || \
		{ echo "generated files were stale and are now fresh: look at the difference and commit it"; exit 1; }

e2e: e2e-app e2e-appsync e2e-dynamodb e2e-media ## drive the binary with the clients of apps and of DynamoDB, and ffmpeg

e2e-app: build e2e/node_modules ## Apollo Client, urql, graphql-ws, graphql-sse, and GraphiQL in Chromium
	mkdir -p e2e/out && bin/stoa schema > e2e/out/schema.graphqls && bin/stoa schema --system pantry > e2e/out/pantry.graphqls && bin/stoa schema --system communities > e2e/out/communities.graphqls && bin/stoa schema --system messaging > e2e/out/messaging.graphqls && bin/stoa schema --system archive > e2e/out/archive.graphqls
	go build -o e2e/out/nats-server github.com/nats-io/nats-server/v2
	cd e2e && npm run --silent generate && npm run --silent check && npm test

e2e-appsync: build e2e/node_modules e2e/appsync/node_modules ## aws-appsync with two of its links, and Amplify behind TLS
	cd e2e/appsync && npm run --silent check && npm test

e2e-dynamodb: build e2e/dynamodb/node_modules ## the AWS SDK, and answers beside DynamoDB Local and dynalite
	cd e2e/dynamodb && npm run --silent check && npm test

e2e-media: ## make streams of real films, which needs ffmpeg
	go test -count=1 -tags e2e ./internal/media/video
	go test -count=1 -tags e2e -run TestRealVideos ./social/post

e2e-disk: ## fill a small disk, which takes the rights of root to mount
	go test -count=1 -tags e2e -run RealDisk ./cmd/stoa

%/node_modules: %/package-lock.json
	cd $* && npm ci
	touch $@

bench: ## measure stoa beside a gqlgen server over maps in memory (docs/benchmarks.md)
	go run ./bench/compare

bench-go: ## run the Go benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-engine: build e2e/dynamodb/node_modules ## measure the engine beside dynalite and DynamoDB Local
	go run ./bench/engine -o docs/benchmarks-engine.md

bench-messaging: ## measure messages in two-person topics (ARGS=-tinode=HOST:PORT: beside a Tinode that runs)
	go run ./bench/messaging $(ARGS)

# Packages are found by name first: to list the targets of all would compile all. That the time
# has passed, go test calls a failure now and then.
fuzz: ## fuzz each decoder (FUZZTIME=10s each; ARGS=./PACKAGE: only there)
	@for package in $(or $(ARGS),$$(grep -rl '^func Fuzz' --include=*_test.go . | xargs dirname | sort -u)); do \
		for target in $$(go test -tags e2e -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			out=$$(go test -tags e2e -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package 2>&1) || \
				case $$out in *'context deadline exceeded'*) ;; *) echo "$$out"; failed=1;; esac; \
		done; \
	done; test -z "$$failed"

abuse: ## attack the binary as hostile clients do, beside honest ones (ARGS=-short: less time, and times not judged)
	go run ./bench/abuse $(ARGS)
