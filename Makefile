# Every command that you type. The work is in scripts/.
.DEFAULT_GOAL := help
.PHONY: help up gpu down status logs run satellite setup models token phone invite join update service routines language backup restore check-up test test-all check format e2e bench chaos soak fuzz

##@ For the household

help: ## show this list
	@scripts/help

up: ## start Hearth in containers (Docker), show progress, print the address
	@scripts/up

gpu: ## the same, and use the NVIDIA card even if make up rejects it
	@GPU=1 scripts/up

down: ## stop Hearth, in containers or not; keeps all its data
	@scripts/down

status: ## show the running programs and their states
	@scripts/status

logs: ## follow the log of every program, one readable line for each; RAW=1 make logs: as JSON
	@scripts/logs

run: ## start Hearth without Docker, in the foreground; Ctrl-C stops it
	@exec scripts/run

satellite: ## turn this machine's microphone and loudspeaker into a satellite: make satellite ROOM=kitchen URL=... ARGS=...
	@exec scripts/satellite $(ARGS)

models: ## download another size or model: make models MODELS=tiny|small|large LLM_MODEL=...
	@scripts/models

token: ## write a strong SERVICE_TOKEN into secrets.env, to open Hearth to the home network; for one device: make token NAME=kitchen SCOPE=talk
	@scripts/token
# Some systems set NAME for every program: only the command line counts.
token: export DEVICE := $(if $(filter command,$(origin NAME)),$(NAME))

routines: ## write the household's routines as YAML, or replace them with those of a file: make routines FROM=routines.yaml
	@scripts/routines $(FROM)

phone: ## pair a phone: shows a QR code to scan; the first time it sets up https and a token, and starts Hearth: make phone NAME=Anna
	@scripts/phone
phone: export PHONE_NAME := $(if $(filter command,$(origin NAME)),$(NAME))

invite: ## show the command by which a stronger machine lends its engines to this Hearth: make invite NAME=desktop
	@SCOPE=lend scripts/phone
invite: export PHONE_NAME := $(if $(filter command,$(origin NAME)),$(NAME))

join: ## lend this machine's engines to another Hearth: make join CODE=...; with DOCKER=1 in containers; LEAVE=1 ends it
	@CODE='$(CODE)' LEAVE='$(LEAVE)' DOCKER='$(DOCKER)' scripts/join

update: ## backup, get the newest version, start and check it; restore the old one if it fails
	@scripts/update

service: ## run make run at boot and after faults, by systemd: make service, make service REMOVE=1
	@scripts/service $(if $(REMOVE),remove)

backup: ## save settings, conversations, timers, lists and secrets to a file in backups/, while Hearth runs
	@scripts/backup

restore: ## restore a backup: make restore FILE=backups/... (without FILE, the newest)
	@scripts/restore $(FILE)

check-up: ## make a running Hearth test itself with real work, and show the results
	@scripts/check-up

##@ For developers

setup: ## install what make run, make test and make check need
	@scripts/setup --dev

test: ## run the fast tests: unit, services, integration, and the main paths of the whole assistant
	@scripts/test

test-all: ## run every test that this machine can run, about half an hour
	@scripts/test --all

check: ## check format, lint, types and unit tests
	@scripts/check

format: ## format every file
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent format
	@cd services && ../.venv/bin/ruff format . && ../.venv/bin/ruff check --fix .

language: ## show what a language has and lacks, and how to complete it: make language L=pl
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" node scripts/language.ts $(L)

e2e: ## run only the tests of the whole assistant: make e2e ONLY=compose|run
	@scripts/test --all e2e

bench: ## run the benchmarks; print a table and write the figures as JSON: make bench ONLY=ask
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" npm run --silent bench -- $(ONLY)

chaos: ## kill, stop, suspend, fill up and unplug every part of a test household under load, about 15 minutes: make chaos ONLY="redis"
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" node bench/chaos/$(if $(filter lending,$(ONLY)),lending.ts,chaos.ts $(ONLY))

soak: ## run a test household under a mixed load; shows growing values: make soak MINUTES=20
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" MINUTES="$(or $(MINUTES),20)" node bench/chaos/soak.ts

fuzz: ## send thousands of generated calls and broken recordings to a test household, about 15 minutes
	@scripts/setup --dev
	@PATH="$(CURDIR)/.venv/bin:$$PATH" node bench/fuzz/fuzz.ts
