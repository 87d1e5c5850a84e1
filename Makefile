# Lampion in two commands: `make play` and `make test`. Everything is set up in .venv on the way.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := sh .ci/pip.sh $(BIN)/python install
LOCKS := requirements-build.lock requirements.lock
# A .venv works only in the folder where it was made, and with the Python that made it.
MADE_HERE := import sys, firmware_host; sys.exit(firmware_host.__path__ != [sys.argv[1]])
STRAY := $(shell [ ! -e $(BIN)/lampion ] || \
  $(BIN)/python -IBc '$(MADE_HERE)' "$(CURDIR)/firmware_host" 2>/dev/null || echo stray)
# Tests run without variables that change Python or the language, whatever a shell has set.
PLAIN := unset $(filter-out PYTHON,$(filter PYTHON% LC_% LANG%,$(.VARIABLES))); \
  export LC_ALL=C.UTF-8

.PHONY: setup play test check style types docs deep rig-deep bench bench-reading soak tablebase lock release deb sdcard site install uninstall clean stray

setup: $(VENV)/catalogues

# What runs is installed by version and hash; nothing is fetched on the way that no lock names.
$(BIN)/lampion: pyproject.toml setup.py $(LOCKS) $(STRAY)
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Lampion needs Python 3.11 or newer; set PYTHON=/path/to/one"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python has no venv module here: sudo apt-get install python3-venv"; exit 1; }
	@sh .ci/venv.sh "$(PYTHON)" $(VENV) $(if $(STRAY),--clear)
	$(PIP) --require-hashes --requirement requirements-build.lock
	$(PIP) --require-hashes --no-build-isolation --requirement requirements.lock
	$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

# A catalogue that was edited is compiled again; building the program does it the first time.
$(VENV)/catalogues: $(BIN)/lampion $(wildcard firmware_host/i18n/locale/*/LC_MESSAGES/*.po)
	$(BIN)/python -m tools.po
	@touch $@

$(VENV)/dev: pyproject.toml $(BIN)/lampion
	$(PIP) --editable '.[dev,examples]'
	@touch $@

play: $(VENV)/catalogues
	$(BIN)/lampion sim

check: style types

style: $(VENV)/dev $(VENV)/catalogues
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tools.words
	@# Git says which files are the project's; without it, those of .venv would count, too.
	! git ls-files >/dev/null 2>&1 || $(BIN)/reuse lint --quiet || { $(BIN)/reuse lint --lines; exit 1; }

types: $(VENV)/dev
	$(BIN)/mypy
	$(BIN)/lint-imports

# While tests wait for pages and wires, types and imports are checked; what is wrong is said last.
test: style
	@sh tests/install_chromium.sh
	@$(PLAIN); { $(BIN)/mypy && $(BIN)/lint-imports; } > $(VENV)/types.txt & types=$$!; \
	$(BIN)/pytest --numprocesses auto --dist worksteal; tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types.txt; exit $$((tests || types))

$(VENV)/site: pyproject.toml $(BIN)/lampion
	$(PIP) --editable '.[site]'
	@touch $@

# The documentation as a site in site/docs; SITE_REPOSITORY is where links to the source lead, if anywhere.
docs: $(VENV)/site
	@$(BIN)/mkdocs build --strict --quiet && echo "site/docs/index.html is the start page"

deep: $(VENV)/oracles $(VENV)/site
	@$(PLAIN); $(BIN)/pytest -m 'deep or hypothesis' --hypothesis-profile deep

# The service on a machine of its own: root, a kernel to build, and some ten minutes the first time.
rig-deep: $(BIN)/lampion
	@sh tests/rig/deep/rig.sh

$(VENV)/oracles: pyproject.toml $(VENV)/dev
	$(PIP) --editable '.[dev,examples,oracles]'
	@touch $@

# Two peers ask for more than their rules need (old pins, a browser, TensorFlow): they come without.
.venv-bench/ready: pyproject.toml benchmarks/requirements.txt
	sh .ci/venv.sh "$(PYTHON)" .venv-bench
	sh .ci/pip.sh .venv-bench/bin/python install --editable . \
	  --requirement benchmarks/requirements.txt
	sh .ci/pip.sh .venv-bench/bin/python install --no-deps \
	  doubutsushogi pyai-abalone
	@touch $@

bench: .venv-bench/ready
	.venv-bench/bin/python -m benchmarks

$(VENV)/examples: pyproject.toml $(BIN)/lampion
	$(PIP) --editable '.[examples]'
	@touch $@

# Update the tables of docs/benchmarks.md: all games and styles, then the chess boards' scenarios.
bench-reading: $(VENV)/examples
	$(BIN)/python -m benchmarks reading --write docs/benchmarks.md

# Memory stays flat in a million frames? About half an hour.
soak: $(VENV)/dev
	$(BIN)/python -m tests.soak

# All positions of Robot Duel, solved: a table of 29 MB among the kept matches, in some 2 minutes.
tablebase: $(VENV)/dev
	$(BIN)/python -m tools.solving

# The locks written again, from the newest of what pyproject.toml allows; needs Python 3.11.
lock: $(BIN)/lampion
	$(BIN)/python .ci/lock.py

# The packages of the last commit in dist/, checked. ADDRESS is where the repository can be read.
release: $(VENV)/dev
	$(BIN)/python -m tools.release --address '$(ADDRESS)'

# A Debian package of what `make install` installs, in dist/; for this processor and Debian's Python.
deb:
	@sh systemd/deb.sh

# Lampion onto the card of a Raspberry Pi, which installs it at its first start: CARD and CONFIG.
sdcard: $(BIN)/lampion
	@CARD='$(CARD)' CONFIG='$(CONFIG)' sh systemd/sdcard.sh

# A start page, the documentation and the board in a browser tab: plain files in site/, for any web
# server. Needs npm.
site: setup $(VENV)/site
	@$(BIN)/python -m tools.site

# On a Raspberry Pi: the program, its service and its devices' groups; `sudo make install`.
install uninstall:
	@DESTDIR='$(DESTDIR)' PYTHON='$(PYTHON)' PURGE='$(PURGE)' sh systemd/install.sh $@

clean:
	rm -rf $(VENV) .venv-bench dist
