# Two commands: `make lab` opens the notebooks, `make test` checks everything.
PYTHON ?= python3
BIN := .venv/bin
FIRST := /lab/tree/notebooks/00-start-here.ipynb
ARGS ?=
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
QUIET := --quiet --disable-pip-version-check --no-input

# What is installed goes into .venv, also for those whose pip installs into their home.
export PIP_USER := 0

.PHONY: lab update class test test-all bench notebooks book questions handout links animation lock clean

lab: .venv/ready
	JUPYTER_CONFIG_PATH="$(CURDIR):$$JUPYTER_CONFIG_PATH" $(BIN)/jupyter lab --LabApp.default_url=$(FIRST) $(AS_ROOT) $(ARGS)

# The new version; notebooks that were run or edited go to a folder of today.
update: MINE := my-notebooks/$(shell date +%F-%H%M%S)
update:
	mkdir -p $(MINE)
	git diff -z --relative --name-only --diff-filter=d -- notebooks > $(MINE)/.names
	tar --null -cf $(MINE)/.tar -T $(MINE)/.names
	tar -xf $(MINE)/.tar -C $(MINE)
	rm $(MINE)/.names $(MINE)/.tar
	git restore notebooks
	git pull --ff-only

class: .venv/ready-dev
	$(BIN)/python -m knnviz class $(ARGS)

test: .venv/ready-dev
	$(BIN)/python tests/parts.py test $(ARGS)

test-all: .venv/ready-dev
	$(BIN)/python tests/parts.py full $(ARGS)

bench: .venv/ready-dev
	$(BIN)/python tests/bench $(ARGS)

notebooks: .venv/ready-dev
	$(BIN)/python tests/notebooks/make.py $(ARGS)

book: .venv/ready-dev
	$(BIN)/python docs/book.py $(ARGS)

questions: .venv/ready-dev
	$(BIN)/python docs/questions.py $(ARGS)

handout: .venv/ready-dev
	$(BIN)/python docs/handout.py $(ARGS)

links: .venv/ready-dev
	$(BIN)/python tests/notebooks/links.py

animation: .venv/ready-dev
	$(BIN)/python tests/notebooks/animation.py

# What readers need first; then what tests, the book and a class need beside it.
lock: LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-header --no-annotate --upgrade pyproject.toml
lock: .venv/ready-dev
	echo 'setuptools>=77' | $(LOCK) - --output-file requirements.lock
	$(LOCK) --extra dev --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv .pytest_cache .ruff_cache .mypy_cache .hypothesis screenshots *.egg-info build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v <= (3, 13) else \
		"knnviz needs Python 3.11, 3.12 or 3.13, but $(PYTHON) is %d.%d; try: make PYTHON=python3.12 ..." % v)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install $(QUIET) --no-compile -r requirements.lock
	$(BIN)/pip install $(QUIET) --no-deps --no-build-isolation -e .
	$(BIN)/python -m compileall -qq -x /tests/ .venv/lib & $(BIN)/python -m knnviz warm && wait
	@touch $@

.venv/ready-dev: requirements-dev.lock .venv/ready
	$(BIN)/pip install $(QUIET) -r requirements-dev.lock
	@touch $@
