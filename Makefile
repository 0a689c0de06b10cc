# Targets. `make help` prints the text after ##.
export CGO_ENABLED = 0
# The same flags everywhere, so that tests and builds share the build cache.
export GOFLAGS = -trimpath

.DEFAULT_GOAL := help
.PHONY: help run demo example build test generate code check e2e e2e-app e2e-client e2e-appsync e2e-dynamodb e2e-media e2e-chaos e2e-disk e2e-release e2e-upgrade release bench bench-go bench-engine bench-messaging storm chaos fuzz abuse

# Files that gqlgen and the planner write. Bundles of the playground and the console have scripts
# of their own; documents and golden files are written by tests with -update.
CODE = graph/*.go resolvers/*.go systems/*/graph/*.go systems/*/resolvers/*.go bench/inmem/gen/*.go $(INTROSPECT)/*.go $(TESTGRAPH)/*.go $(TOY)/*.go
FRESH = ./cmd/stoa ./graph ./internal/kit/arch ./store ./resolvers ./systems/*/store ./internal/kit/rules ./bench/scale
TESTGRAPH = internal/server/internal/testgraph
TOY = internal/host/toy
INTROSPECT = internal/kit/gqlplan/introspect
CONSOLE = internal/server/console/build
# Runs gqlgen and also writes plans.
PLANNER = stoa/internal/kit/gqlplan/generate

FUZZTIME ?= 10s

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: build ## serve on http://127.0.0.1:8080 with data in ./data
	@exec bin/stoa serve $(ARGS)

demo: build example ## serve the example app with a generated network on http://127.0.0.1:8080, data in ./data/demo
	@test -d data/demo || bin/stoa seed --store embedded:data/demo
	@exec bin/stoa serve --store embedded:data/demo --site examples/web/dist $(ARGS)

example: examples/web/node_modules
	cd examples/web && npm run --silent build

build: ## build bin/stoa
	@echo "building bin/stoa (the first time takes a minute or two)" >&2
	@go build -ldflags="-s -w" -o bin/stoa ./cmd/stoa

# Heaps grow far, since nearly all that tests and generators allocate is short-lived. One more
# package is tested at a time than there are cores, because tests also wait, for processes and
# disks. The tests need not be vetted once more.
test: export GOGC = 1600
test: export GOMEMLIMIT = 1GiB
test: code ## vet, run all Go tests and check that generated files are fresh
	go vet ./...
	go test -vet=off -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) ./...
	cd deploy/release && go vet . && go test -short .

generate: ## regenerate all generated files
	printf '%s\n' . systems/* internal/operator $(TESTGRAPH) $(TOY) | xargs -P 2 -I % sh -c 'cd % && go run $(PLANNER)'
	for dir in bench/inmem $(INTROSPECT); do (cd $$dir && go tool gqlgen generate) || exit 1; done
	$(if $(CODE_ALONE),,go test -count=1 -run Fresh $(FRESH) -update)

# Fails if generated code is stale.
code:
	@before=$$(cat $(CODE) | cksum); \
	$(MAKE) --no-print-directory generate CODE_ALONE=1 || exit 1; \
	test "$$before" = "$$(cat $(CODE) | cksum)" || \
		{ echo "generated code was stale and is now fresh: look at the difference and commit it"; exit 1; }

check: code ## fail if a generated file is stale, or a rule and the tests that cite it disagree
	go test -run Fresh $(FRESH)

e2e: e2e-app e2e-client e2e-appsync e2e-dynamodb e2e-media ## test the binary with clients of apps and of DynamoDB, and with ffmpeg

e2e-app: build example e2e/node_modules $(CONSOLE)/node_modules ## Apollo Client, urql, graphql-ws, graphql-sse, and GraphiQL, the console and the example app in Chromium
	cd $(CONSOLE) && npm run --silent check
	mkdir -p e2e/out && bin/stoa schema > e2e/out/schema.graphqls
	set -e; for system in $(notdir $(wildcard systems/*)); do bin/stoa schema --system $$system > e2e/out/$$system.graphqls; done
	go build -o e2e/out/nats-server github.com/nats-io/nats-server/v2
	cd e2e && npm run --silent generate && npm run --silent check && npm test

e2e-client: build packages/client/node_modules ## the TypeScript package for apps, and the examples of the guide and of other pages, in Node and Chromium
	cd packages/client && npm run --silent check && npm test

e2e-appsync: build e2e/node_modules e2e/appsync/node_modules ## aws-appsync with two of its links, and Amplify over TLS
	cd e2e/appsync && npm run --silent check && npm test

e2e-dynamodb: build e2e/dynamodb/node_modules ## the AWS SDK, and comparison with DynamoDB Local and dynalite
	cd e2e/dynamodb && npm run --silent check && npm test

e2e-media: ## encode real videos; requires ffmpeg
	go test -count=1 -tags e2e ./internal/media/video
	go test -count=1 -tags e2e -run TestRealVideos ./social/post

e2e-disk: ## fill a small disk; requires root, to mount it
	go test -count=1 -tags e2e -run RealDisk ./cmd/stoa

e2e-chaos: ## a short chaos, with a fixed seed
	go run ./bench/chaos -for 25s -seed 1

%/node_modules: %/package-lock.json
	cd $* && npm ci
	touch $@

bench: ## compare stoa with a gqlgen server over maps in memory (docs/benchmarks.md)
	go run ./bench/compare

bench-go: ## run the Go benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-engine: build e2e/dynamodb/node_modules ## compare the engine with dynalite and DynamoDB Local
	go run ./bench/engine -o docs/benchmarks-engine.md

bench-messaging: ## measure messages in two-person topics (ARGS=-tinode=HOST:PORT compares with a running Tinode)
	go run ./bench/messaging $(ARGS)

storm: ## measure delivery under a storm of follows, by several processes, and past a stopped one (ARGS=-only=embedded)
	go run ./bench/storm $(ARGS)

chaos: ## random users on three processes with a faulty store, kills and stops, for 5 minutes at most (ARGS='-for 20m -seed 7')
	go run ./bench/chaos $(ARGS)

# Packages are found by name first, because listing the targets of all packages would compile
# them all. Occasionally go test reports reaching the fuzz time as a failure, and nothing else.
fuzz: ## fuzz each decoder (FUZZTIME=10s each; ARGS=./PACKAGE for one package)
	@for package in $(or $(ARGS),$$(grep -rl '^func Fuzz' --include=*_test.go . | xargs dirname | sort -u)); do \
		targets=$$(go test -tags e2e -list '^Fuzz' $$package) || { echo "$$targets"; failed=1; }; \
		for target in $$(echo "$$targets" | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			out=$$(go test -tags e2e -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package 2>&1) || \
				printf '%s\n' "$$out" | grep -A1 '^--- FAIL' | grep -qx ' *context deadline exceeded' || \
				{ printf '%s\n' "$$out"; failed=1; }; \
		done; \
	done; test -z "$$failed"

release: ## build binaries, packages, an image and their checksums into dist (deploy/README.md)
	cd deploy/release && go run . -source ../.. -out ../../dist

e2e-release: ## build a release twice, and compare and inspect the two; requires openssl
	cd deploy/release && go test -count=1 -run Reproducible .

# The version before this one: the latest tag, or a commit.
FORMER ?= $(or $(shell git describe --tags --abbrev=0 --match 'v*' 2>/dev/null),f5d963f6)

e2e-upgrade: ## replace processes of the version before by this one and back, under load (FORMER=COMMIT)
	go test -count=1 -v -tags e2e -run RollingUpgrade ./cmd/stoa -former=$(FORMER)

abuse: ## attack the binary while honest clients use it (ARGS=-short: shorter, without judging times)
	go run ./bench/abuse $(ARGS)
