# The whole life of a local Rakazo: make up, make test, make down. NAME=… runs several side by side.
NAME ?= default
UV_VERSION := 0.13.9
UV := .local/.uv/bin/uv
RUN := .venv/bin/rakazo-infra

.PHONY: help up down tools images env check unit program repository engine isolation mutations test bench schema

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(UV):
	@echo "uv $(UV_VERSION) into .local/.uv"
	@python3 -m venv .local/.uv
	@.local/.uv/bin/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

.venv/.ready: pyproject.toml uv.lock | $(UV)
	@echo "python environment into .venv"
	@$(UV) sync --frozen --quiet --compile-bytecode
	@touch $@

env: .venv/.ready  ## the Python environment, .venv/bin/rakazo-infra

tools: env  ## Kubernetes, gVisor, Pulumi and the rest, built from source once
	@$(RUN) local tools

images: tools  ## the stand-in images
	@$(RUN) local images

up: images  ## a two-node Kubernetes with Rakazo and gVisor computers
	@$(RUN) local up --name $(NAME)
	@$(RUN) local deploy --name $(NAME)

down: env  ## end it and leave nothing behind
	@$(RUN) local down --name $(NAME)

check: env  ## what needs no cluster: ruff, mypy, layers, unit, program and repository tests
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@.venv/bin/pytest -q -n 2 tests/unit tests/program tests/repository

unit program repository: env
	@.venv/bin/pytest -q -n 2 tests/$@

engine isolation: images
	@.venv/bin/pytest -v tests/$@

mutations: env  ## every guard is broken once and has to be seen failing
	@.venv/bin/pytest -v tests/mutations

test: check images  ## every tier
	@.venv/bin/pytest -v --durations=15 tests/mutations tests/engine tests/isolation

bench: env  ## measure, and write docs/performance.md
	@$(RUN) bench

schema: env  ## write stacks/schema.json from the settings models
	@.venv/bin/python -m stacks.schema
