# Every command for people. scripts/ does the work.
.DEFAULT_GOAL := help
.PHONY: help up gpu down logs run satellite setup models token backup restore check-up test check format e2e bench

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{ printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: ## start Hearth in containers (Docker), show progress, print the address
	@scripts/up

gpu: ## the same, and use the NVIDIA card even if make up found it unusable
	@GPU=1 scripts/up

down: ## stop Hearth, in containers or not; its data is kept
	@scripts/down

logs: ## follow the logs of all programs
	@scripts/logs

run: ## start Hearth without Docker, in the foreground; Ctrl-C stops it
	@exec scripts/run

satellite: ## make this machine's microphone and loudspeaker a satellite: make satellite ROOM=kitchen URL=... ARGS=...
	@exec scripts/satellite $(ARGS)

setup: ## install everything that make run, make test and make check need
	@scripts/setup --dev

models: ## fetch another size or model: make models MODELS=tiny|small|large LLM_MODEL=...
	@scripts/models

token: ## write a strong SERVICE_TOKEN into secrets.env, to open Hearth to the home network
	@scripts/token

backup: ## save settings, conversations, timers, lists and secrets into a file of backups/, while Hearth runs
	@scripts/backup

restore: ## put a backup back: make restore FILE=backups/... (without FILE, the newest)
	@scripts/restore $(FILE)

check-up: ## have a running Hearth check itself by real work, and show what it finds
	@scripts/check-up

test: ## run all tests that this machine can run
	@scripts/test

check: ## check format, lint and types, and run the unit tests
	@scripts/check

format: ## put every file into the common format
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent format
	@cd services && ../.venv/bin/ruff format . && ../.venv/bin/ruff check --fix .

e2e: ## run only the tests of the whole assistant: make e2e ONLY=compose|run
	@scripts/test e2e

bench: ## measure, print a table and write the figures as JSON
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent bench
