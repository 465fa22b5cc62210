# Two commands matter: `make run` opens the course, `make test` runs the tests.

GO ?= go

# Nothing needs C, and without it the same bytes are built everywhere.
export CGO_ENABLED = 0
GOFLAGS_BUILD = -trimpath -ldflags "-s -w"

.PHONY: run test build check bench docs go fuzz

run: build
	@./bin/lab

build: go
	@$(GO) build $(GOFLAGS_BUILD) -o bin/lab ./cmd/lab

test: go
	$(GO) test ./...

# The same with ten times as many drawn jobs and scripts.
.PHONY: test-long
test-long: go
	LAB_SEEDS=2000 LAB_SCHEDULES=100000 $(GO) test -timeout 90m ./sim/flink ./sim/state/... ./sim/checkpoint ./sim/verdict

# Everything that a change must pass beside the tests.
check: go
	$(GO) vet ./...
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi
	$(GO) tool staticcheck ./...
	$(GO) run ./cmd/lab check .

# Figures are ratios within one run: see docs/measures.md.
bench: go build
	$(GO) test -run '^$$' -bench . -benchtime 3x ./sim/... ./internal/... ./cmd/...

# Generated documents.
docs: go
	$(GO) run ./internal/docs

fuzz: go
	@for t in $$(grep -rlE '^func Fuzz' --include=*_test.go .); do \
		dir=$$(dirname $$t); \
		for f in $$(grep -ohE '^func Fuzz[A-Za-z0-9]+' $$t | sed 's/func //'); do \
			$(GO) test $$dir -run '^$$' -fuzz "^$$f$$" -fuzztime 20s || exit 1; \
		done; \
	done

go:
	@command -v $(GO) >/dev/null 2>&1 || { \
		echo "Falta Go. Instala Go 1.26.8 o posterior desde https://go.dev/dl/ y repite el comando."; \
		echo "Go가 없습니다. https://go.dev/dl/ 에서 Go 1.26.8 이상을 설치한 뒤 다시 실행하세요."; exit 1; }
	@$(GO) list -m >/dev/null 2>&1 || { \
		echo "$$($(GO) version 2>&1 | head -n 1)"; \
		echo "Hace falta Go 1.26.8 o posterior: https://go.dev/dl/"; \
		echo "Go 1.26.8 이상이 필요합니다: https://go.dev/dl/"; exit 1; }

# Pictures of the screens in both languages, into docs/shots. Needs Chromium
# with Noto Sans Mono CJK and DejaVu Sans Mono.
.PHONY: shots
shots: go
	$(GO) run ./internal/shots
