# Build, test and run targets; `make` lists them. Needs Go, Node and make, which download the rest.
# `make test` reports the prerequisites it could not find.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
DIY_ADDR ?= 127.0.0.1:8080
# The address for browsers, which refuse passkeys under an IP address.
LOCAL = $(patsubst 127.0.0.1:%,localhost:%,$(DIY_ADDR))
# Tools use the build flags of bin/diy, so that common packages are compiled once.
BUILD_ENV := CGO_ENABLED=0 GOFLAGS=-trimpath
TOOL := $(BUILD_ENV) go tool -modfile=tools/go.mod

# --- Files and their prerequisites ---------------------------------------------------------------
PACKAGES := webapp/node_modules/.package-lock.json
DIST := webapp/dist/index.html
# Directories are included, because deleting a file changes its directory only.
WEB_SOURCES := $(shell find webapp/src webapp/dev webapp/vite webapp/public ! -name '*.test.*') $(wildcard webapp/*.html webapp/*.ts webapp/*.json webapp/scripts/*.mjs) \
	$(wildcard domain/*/data/*.json cmd/diycmd/*.json)
MOCKS := app/internal/mocks
GENERATED := $(MOCKS) webapp/src/api/schema.gen.ts testdata/responses.json
# This module, and those that use it.
MODULES := . $(wildcard testdata/consumers/*)

$(PACKAGES): webapp/package-lock.json
	npm ci --prefix webapp --no-audit --no-fund --loglevel=error
	@touch $@

$(DIST): $(PACKAGES) $(WEB_SOURCES)
	npm run --prefix webapp --silent build -- --logLevel warn
	@touch $@

# FORCE: go build decides what to rebuild.
bin/diy: $(DIST) FORCE
	$(BUILD_ENV) go build -ldflags '-s -w -X github.com/vc-admin/diy/cmd/diycmd.version=$(VERSION)' -o $@ ./cmd/diy

# For development and tests only.
bin/stripeserver: FORCE
	$(BUILD_ENV) go build -o $@ ./cmd/stripeserver

# Payment providers from other modules, for the browser tests.
CONSUMERS := bin/hostedcheckout bin/bankdebit bin/cardgateway
$(CONSUMERS): $(DIST) FORCE
	cd testdata/consumers/$(@F) && $(BUILD_ENV) go build -o $(CURDIR)/$@ .

FORCE:

# --- Targets -------------------------------------------------------------------------------------
.PHONY: help run build test test-go test-web test-browser prerequisites fuzz crash model lint lint-go lint-web dev generate tidy verify bench sbom screens clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: bin/diy ## build everything and serve it on http://localhost:8080 (SQLite, fake payments)
	@printf '\n  Plans    http://%s/vc-admin/diy/plans?debug=true\n  Panel    http://%s/dev\n  Stop     Ctrl-C\n\n' '$(LOCAL)' '$(LOCAL)'
	@DIY_ADDR='$(DIY_ADDR)' exec bin/diy serve

build: bin/diy ## build bin/diy, one static binary with the web app inside

test: bin/diy bin/stripeserver $(CONSUMERS) ## run every test: Go, a little fuzzing, web app, browser
	@tools/test.sh go fuzz web browser

test-go: ## run the Go tests, race detector on (PKG=./domain/... for some)
	@tools/test.sh go

test-web: $(PACKAGES) ## run the web app's tests
	@tools/test.sh web

test-browser: bin/diy bin/stripeserver $(CONSUMERS) ## run the browser tests against the real binary (ARGS='-g "starts a trial"' for some)
	@tools/test.sh browser

# Installs PostgreSQL and Chromium where possible. make test reports what is missing.
prerequisites:
	-@tools/postgres.sh
	-@tools/chromium.sh

fuzz: ## run every fuzz target for a minute (FUZZTIME=10s for less)
	@tools/fuzz.sh

crash: $(DIST) ## kill servers about a thousand times during payments and check the results (KILLS=10 for fewer)
	go test -count=1 -timeout 2h -v -run Kill ./cmd/diy/crash -kills '$(or $(KILLS),170)' -ready 2s -gateway | grep -v '^ *\(===\|---\) '

model: ## check the invariants about money under random operations (RAPID_CHECKS=20000 for more)
	RAPID_CHECKS=$${RAPID_CHECKS:-5000} go test -count=1 -v -timeout 0 -run TestInvariants ./app/model

lint: lint-go lint-web ## run the linters: golangci-lint, biome, tsc

lint-go:
	$(TOOL) golangci-lint run

lint-web: $(PACKAGES)
	npm run --prefix webapp --silent lint
	npm run --prefix webapp --silent typecheck

dev: $(PACKAGES) ## serve the web app with hot reload, against the server that `make run` started
	@echo "Calls go to $${DIY_SERVER:-http://localhost:8080}: start it with make run, or set DIY_SERVER."
	npm run --prefix webapp dev

generate: $(PACKAGES) ## regenerate mocks, the web app's wire types and the example responses
	find $(MOCKS) -name '*.go' ! -name doc.go -delete
	$(TOOL) mockery
	npm run --prefix webapp --silent gen
	UPDATE_RESPONSES=1 go test ./adapters/httpapi -run TestResponseExamples

tidy: ## complete go.mod and go.sum, also of the modules that use this one
	for module in $(MODULES); do (cd $$module && go mod tidy); done

verify: generate ## fail when generated files, go.mod or the documentation are out of date
	@tools/unchanged.sh $(GENERATED)
	for module in $(MODULES); do (cd $$module && go mod tidy -diff); done
	go mod verify
	@tools/checkdocs.sh
	@tools/checkwaits.sh

bench: bin/diy ## measure the server against its targets (ONLY='SignUps lighthouse' for some)
	@tools/bench.sh $(ONLY)

screens: bin/diy ## take pictures of all screens, in screens/ and, for the documents, in testdata/screens
	@tools/test.sh screens

sbom: bin/diy ## list the components of bin/diy in bin/sbom-go.txt and bin/sbom-web.cdx.json
	go version -m bin/diy > bin/sbom-go.txt
	cd webapp && npm sbom --sbom-format cyclonedx --omit dev --package-lock-only > ../bin/sbom-web.cdx.json

clean: ## remove build output (keeps node_modules and the development database)
	rm -rf bin webapp/test-results webapp/playwright-report
	find webapp/dist webapp/dist-dev adapters/invoicepdf/fonts/files -mindepth 1 ! -name .gitkeep -delete
