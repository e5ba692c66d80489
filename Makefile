# Everything a person does with this repository. `make` lists it. Needs Go, Node and make; the rest
# is fetched by them, and `make test` says what it could not find.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
DIY_ADDR ?= 127.0.0.1:8080
# Tools are built, and look at code, as bin/diy is built: what they share is compiled once.
LIKE_DIY := CGO_ENABLED=0 GOFLAGS=-trimpath
TOOL := $(LIKE_DIY) go tool -modfile=tools/go.mod

# --- What depends on what. A stamp is newer than everything that it was made from. ---------------
PACKAGES := webapp/node_modules/.package-lock.json
DIST := webapp/dist/index.html
# Folders are listed too: a deleted file is a change.
WEB_SOURCES := $(shell find webapp/src webapp/vite webapp/public ! -name '*.test.*') $(wildcard webapp/*.html webapp/*.ts webapp/*.json)
MOCKS := app/internal/mocks
GENERATED := $(MOCKS) webapp/src/api/schema.gen.ts

$(PACKAGES): webapp/package-lock.json
	npm ci --prefix webapp --no-audit --no-fund --loglevel=error
	@touch $@

$(DIST): $(PACKAGES) $(WEB_SOURCES)
	npm run --prefix webapp --silent build -- --logLevel warn
	@touch $@

# Go knows best what is out of date, so it is always asked; when nothing is, it does nothing.
bin/diy: $(DIST) FORCE
	$(LIKE_DIY) go build -ldflags '-s -w -X main.version=$(VERSION)' -o $@ ./cmd/diy

# Tried out and tested with only, never shipped.
bin/localstripe: FORCE
	$(LIKE_DIY) go build -o $@ ./cmd/localstripe

FORCE:

# --- Targets. ------------------------------------------------------------------------------------
.PHONY: help run build test test-go test-web test-browser fuzz crash model lint dev generate verify bench sbom screens clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: bin/diy ## build everything and serve it on http://127.0.0.1:8080 (SQLite, fake payments)
	@printf '\n  Plans    http://%s/vc-admin/diy/plans?debug=true\n  Mailbox  http://%s/dev/mailbox\n  Stop     Ctrl-C\n\n' '$(DIY_ADDR)' '$(DIY_ADDR)'
	@DIY_ADDR='$(DIY_ADDR)' exec bin/diy serve

build: bin/diy ## build bin/diy, one static binary with the web app inside

test: bin/diy bin/localstripe ## run every test: Go, a little fuzzing, web app, browser
	@tools/test.sh go fuzz web browser

test-go: ## run the Go tests, race detector on (PKG=./domain/... for some)
	@tools/test.sh go

test-web: $(PACKAGES) ## run the web app's tests
	@tools/test.sh web

test-browser: bin/diy bin/localstripe ## run the browser tests against the real binary (ARGS='-g "main job"' for some)
	@tools/test.sh browser

fuzz: ## give every decoder made-up input, a minute each (FUZZTIME=10s for less)
	@tools/fuzz.sh

crash: $(DIST) ## kill servers about a thousand times while people pay, and compare what is left (KILLS=10 for some)
	go test -count=1 -timeout 2h -v -run Kill ./cmd/diy/crash -kills '$(or $(KILLS),240)' -ready 2s | grep -v '^ *\(===\|---\) '

model: ## have thousands of things happen at random, and every rule about money hold (RAPID_CHECKS=20000 for more)
	RAPID_CHECKS=$${RAPID_CHECKS:-5000} go test -count=1 -v -timeout 0 -run TestWhateverHappens ./app/model

lint: $(PACKAGES) ## run the linters: golangci-lint, biome, tsc
	$(TOOL) golangci-lint run
	npm run --prefix webapp --silent lint
	npm run --prefix webapp --silent typecheck

dev: $(PACKAGES) ## serve the web app with hot reload, against the server that `make run` started
	@echo "Calls go to $${DIY_SERVER:-http://127.0.0.1:8080}: start it with make run, or set DIY_SERVER."
	npm run --prefix webapp dev

generate: $(PACKAGES) ## regenerate mocks and the web app's wire types
	find $(MOCKS) -name '*.go' ! -name doc.go -delete
	$(TOOL) mockery
	npm run --prefix webapp --silent gen

verify: generate ## regenerate everything generated and fail when it differs from what is committed
	@tools/unchanged.sh $(GENERATED)
	go mod tidy -diff
	go mod verify
	$(LIKE_DIY) go -C tools test ./speccoverage
	$(LIKE_DIY) go -C tools run ./speccoverage

bench: bin/diy ## measure the server against what it is held to (ONLY='SignUps lighthouse' for some)
	@tools/bench.sh $(ONLY)

screens: bin/diy ## take the pictures in testdata/screens anew
	@tools/test.sh screens

sbom: bin/diy ## list what bin/diy is made of, in bin/sbom-go.txt and bin/sbom-web.cdx.json
	go version -m bin/diy > bin/sbom-go.txt
	cd webapp && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only > ../bin/sbom-web.cdx.json

clean: ## remove what was built (node_modules and the development database stay)
	rm -rf bin webapp/test-results webapp/playwright-report
	find webapp/dist -mindepth 1 ! -name .gitkeep -delete
