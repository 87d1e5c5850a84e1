# Lampion in two commands: `make play` and `make test`. Everything is set up in .venv on the way.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup play test check deep bench bench-reading soak clean

setup: $(BIN)/lampion

$(BIN)/lampion: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Lampion needs Python 3.11, 3.12 or 3.13; set PYTHON=/path/to/one"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python has no venv module here: sudo apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: pyproject.toml $(BIN)/lampion
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,examples]'
	@touch $@

play: $(BIN)/lampion
	$(BIN)/lampion sim

check: $(VENV)/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	@sh tests/install_chromium.sh
	$(BIN)/pytest --numprocesses auto --dist worksteal

deep: $(VENV)/oracles
	$(BIN)/pytest -m deep

$(VENV)/oracles: pyproject.toml $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,examples,oracles]'
	@touch $@

# Two peers ask for more than their rules need (old pins, a browser, TensorFlow): they come without.
.venv-bench/ready: pyproject.toml benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --editable . \
	  --requirement benchmarks/requirements.txt
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  doubutsushogi pyai-abalone
	@touch $@

bench: .venv-bench/ready
	.venv-bench/bin/python -m benchmarks

$(VENV)/examples: pyproject.toml $(BIN)/lampion
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[examples]'
	@touch $@

# The tables of docs/benchmarks.md, written anew: all games and styles, then the chess boards' scenarios.
bench-reading: $(VENV)/examples
	$(BIN)/python -m benchmarks reading --write docs/benchmarks.md

# Whether anything piles up in a million frames: about half an hour.
soak: $(VENV)/dev
	$(BIN)/python -m benchmarks soak

clean:
	rm -rf $(VENV) .venv-bench
