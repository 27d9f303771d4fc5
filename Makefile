# Every command a person types. The work is in scripts/.
.DEFAULT_GOAL := help
.PHONY: help up gpu down logs run satellite setup models token backup restore check-up test check format e2e bench

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## start Hearth in containers (Docker), show progress, print the address
	@scripts/up

gpu: ## the same, with the NVIDIA card even where make up did not find it usable
	@GPU=1 scripts/up

down: ## end Hearth, in containers or not; what it knows is kept
	@scripts/down

logs: ## follow what every program says
	@scripts/logs

run: ## start Hearth without Docker, in the foreground; Ctrl-C ends it
	@exec scripts/run

satellite: ## make this machine's microphone and loudspeaker a satellite: make satellite ROOM=kitchen URL=... ARGS=...
	@exec scripts/satellite $(ARGS)

setup: ## install what make run, make test and make check need
	@scripts/setup --dev

models: ## fetch another size or model: make models MODELS=tiny|small|large LLM_MODEL=...
	@scripts/models

token: ## write a strong SERVICE_TOKEN into secrets.env, to open Hearth to the home network
	@scripts/token

backup: ## save settings, conversations, timers, lists and secrets into a file of backups/, while Hearth runs
	@scripts/backup

restore: ## put a backup back: make restore FILE=backups/... (the newest without one)
	@scripts/restore $(FILE)

check-up: ## have a running Hearth check itself by real work, and show what it finds
	@scripts/check-up

test: ## all tests that this machine can run
	@scripts/test

check: ## format, lint, types and unit tests
	@scripts/check

format: ## put every file into the common format
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent format
	@cd services && ../.venv/bin/ruff format . && ../.venv/bin/ruff check --fix .

e2e: ## only the tests of the whole assistant: make e2e ONLY=compose|run
	@scripts/test e2e

bench: ## measure; prints a table and writes the figures as JSON
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent bench
