# The whole life of a local Rakazo: make up, make test, make down. NAME=… runs several side by side.
NAME ?= default
PYTHON ?= python3
UV_VERSION := 0.13.9
UV := .local/.uv/bin/uv
RUN := .venv/bin/rakazo-infra

# A shell that was set up for a cluster names a folder that ended with it; nothing could make a temporary file.
ifeq ($(wildcard $(TMPDIR)),)
unexport TMPDIR
endif

# Where byte code is not kept, every test run compiles every test anew: six seconds of CPU.
unexport PYTHONDONTWRITEBYTECODE

# Targets use both cores themselves, and the host is looked at before anything is built.
.NOTPARALLEL:

.PHONY: help host up down tools images docker env check unit program repository engine isolation mutations test slow bench schema security targets

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(UV):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "error: Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo missing)." \
	    "Install one and name it: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "error: $(PYTHON) cannot make environments: install its venv module," \
	    "on Debian with \`apt-get install python3-venv\`" >&2; exit 1; }
	@echo "uv $(UV_VERSION) into .local/.uv"
	@$(PYTHON) -m venv .local/.uv
	@.local/.uv/bin/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)

# uv leaves a lock file in TMPDIR.
.venv/.ready: pyproject.toml uv.lock | $(UV)
	@echo "python environment into .venv"
	@TMPDIR=$(CURDIR)/.local/.uv $(UV) sync --frozen --quiet --compile-bytecode --no-python-downloads
	@touch $@

env: .venv/.ready  ## the Python environment, .venv/bin/rakazo-infra

host: env  ## whether this machine can run it
	@$(RUN) local host >/dev/null

tools: env  ## Kubernetes, gVisor, Pulumi and the rest, built from source once
	@$(RUN) local tools

images: host tools  ## the stand-in images
	@$(RUN) local images

docker: host tools  ## Docker Engine and Compose, which machines of the tests download; `make up` needs neither
	@.venv/bin/python -m tests.docker_release

up: host images  ## a two-node Kubernetes with Rakazo and gVisor computers
	@$(RUN) local up --name $(NAME) $(if $(DUAL_STACK),--dual-stack)
	@$(RUN) local deploy --name $(NAME)

down: env  ## end it and leave nothing behind
	@$(RUN) local down --name $(NAME)

check: env  ## what needs no cluster: ruff, mypy, layers, unit, program and repository tests
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@.venv/bin/pytest -q -n 2 --dist worksteal tests/unit tests/program tests/repository

unit program repository: env
	@.venv/bin/pytest -q -n 2 --dist worksteal tests/$@

engine: docker
engine isolation: host images
	@.venv/bin/pytest -v tests/$@

mutations: env  ## every guard is broken once and has to be seen failing
	@.venv/bin/pytest -v tests/mutations

test: host check images docker  ## every tier but the slow one
	@.venv/bin/pytest -v --durations=15 -m "not slow" tests/mutations tests/engine tests/isolation

slow: host images docker  ## many machines, and managed clouds: half an hour more
	@.venv/bin/pytest -v --durations=15 -m slow tests/engine

bench: env  ## measure, and write docs/performance.md
	@$(RUN) bench

schema: env  ## write stacks/schema.json from the settings models
	@.venv/bin/python -m stacks.schema

security: env  ## write the tables of docs/security.md from the claims and the broken variants
	@.venv/bin/python -m tests.repository.security_tables

targets: env  ## write the tables of docs/targets/README.md from the matrix of runtimes and the calendar of Kubernetes
	@.venv/bin/python -m tests.repository.target_tables
