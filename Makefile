# Every target sets up what it needs by itself (setup/prepare.sh); the second time that takes no time.
# PORT, HOST and GAME may be given: make run GAME=hexes PORT=8080 HOST=0.0.0.0

PORT ?= 8000
HOST ?= 127.0.0.1
GAME ?= arena
VENV := .venv
VENV_OPENCV_4 := .venv-opencv-4
# Two processes more than there are cores, each with files of tests of its own: a test that waits for a page or for a program
# to start leaves a core idle, a third of the time. Four are as many as fit beside a browser into a Pi's memory.
ALL_CORES := -n $(shell cores=$$(nproc); echo $$((cores < 3 ? cores + 2 : 4))) --dist loadfile
# What `make test` runs of them.
WHICH = not thorough
# Tests that neither render pictures nor open a browser: tests/test_stages.py holds the eye's stages to that.
QUICK := tests/test_fences.py tests/test_shape.py tests/test_stages.py tests/rules tests/formats tests/geometry \
	$(wildcard tests/vision/*/)

.DEFAULT_GOAL := help
# A test process a core: a second thread of BLAS only waits for the first, on matrices as small as these (62 s against
# 50 s of `make quick`).
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help run test tests thorough quick lint style types format bench test-opencv-4 prepare clean

help: ## say what can be made
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /  make \1\t/' | expand -t 24

run: ## play a game on the simulated table and serve its pages at http://localhost:8000
	@setup/prepare.sh run $(VENV)
	@echo "Open http://localhost:$(PORT) in a browser; Ctrl-C ends it."
	@$(VENV)/bin/arena-cam referee sim --game $(GAME) --host $(HOST) --port $(PORT)

# Types are checked beside the tests, in what a test that waits leaves idle.
test: style ## format, lint, types and the tests
	@$(MAKE) --no-print-directory --jobs=2 types tests

# Tests start the program a hundred times and more: compiled modules are kept, or each start compiles them again. Tests are
# rewritten to say what was compared only where one fails: that takes every process longer than to import them.
tests: prepare
	@PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest $(ALL_CORES) -m "$(WHICH)" --assert=plain || { \
		PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest --last-failed --last-failed-no-failures none; exit 1; }

thorough: WHICH = thorough
thorough: tests ## what `make test` shows on one picture or in one game on the further ones: some minutes

quick: prepare ## tests of rules, formats and the eye's stages: no renderer, no browser; under a minute on two cores
	PYTHONDONTWRITEBYTECODE= $(VENV)/bin/pytest $(ALL_CORES) -p no:schemathesis -m "not whole" $(QUICK)

lint: style types ## format, lint and types only

types: prepare
	$(VENV)/bin/mypy

style: prepare
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	shellcheck .ci/run $(wildcard setup/*.sh systemd/*.sh setup/sd-card/stage-arena-cam/*.sh \
		setup/sd-card/stage-arena-cam/*/*.sh)

format: prepare ## rewrite the sources as the formatter wants them, and sort the translations
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .
	PYTHONPATH=tests $(VENV)/bin/python -m web.sorted_catalogues

bench: prepare ## measure speed and memory, as ratios inside one run
	$(VENV)/bin/python -m bench

test-opencv-4: ## every test, the thorough ones too, on OpenCV 4.10 and numpy 1, as Raspberry Pi OS bookworm needs them
	@setup/prepare.sh opencv-4 $(VENV_OPENCV_4)
	$(VENV_OPENCV_4)/bin/pytest $(ALL_CORES)

prepare: ## only set up: system packages, virtual environment
	@setup/prepare.sh dev $(VENV)

clean: ## remove the virtual environments and everything built; games are kept
	rm -rf $(VENV) $(VENV_OPENCV_4) build ./*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f arena_cam/vision/kernels/_kernels*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
