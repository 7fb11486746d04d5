# Everything from a checkout to a tested, running pipeline. Needs Python 3.11 or later and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Without Python's warnings: setuptools warns of every editable install.
PIP := PYTHONWARNINGS=ignore $(BIN)/python -m pip --disable-pip-version-check
# A slow index may take longer than pip's 15 seconds.
export PIP_DEFAULT_TIMEOUT ?= 60
# Without an index if there is a folder wheelhouse.
SOURCE := $(if $(wildcard wheelhouse),--no-index --find-links wheelhouse)
INSTALL := $(PIP) install --quiet $(SOURCE) -c constraints.txt
OFFLINE := echo "Packages cannot be installed. Without an index: run 'make wheelhouse' on a machine with one, and copy the checkout with its folder wheelhouse."
PYTEST := $(BIN)/python -m pytest
# The tests start the program hundreds of times, and Python may be told not to keep what it compiles.
COMPILE := $(BIN)/python -m compileall -q $(wildcard src pddl_domains planners translators validation)

.PHONY: help demo test test-long test-ranker lint lint-ruff lint-mypy lint-pyright format docs paper dist lock wheelhouse clean

help:
	@echo "make demo       install, run the examples of all eight domains, print the report"
	@echo "make test       install, run the test suite"
	@echo "make test-long  the tests that take long"
	@echo "make test-ranker  install PyTorch, transformers and TRL, run the tests of training"
	@echo "make lint       ruff, mypy --strict and pyright"
	@echo "make format     format the code"
	@echo "make docs       build the documentation into build/docs"
	@echo "make paper      write the paper from the stored runs into build/paper.pdf"
	@echo "make dist       build wheel and sdist, install them and the checkout in each way, and try them"
	@echo "make wheelhouse  get all packages as files, for machines without an index"
	@echo "make lock       write constraints.txt anew from the newest versions"
	@echo "make clean      remove everything that was made here"

demo: $(VENV)/installed
	rm -rf demo-runs
	$(BIN)/pddl-pipeline run examples/*.jsonl --time-limit 60s -o demo-runs
	@$(BIN)/pddl-pipeline report demo-runs -q --html demo-runs/report.html \
		--pages demo-runs/pages > /dev/null
	@echo "The cells of the report lead to pages of the plans."

# With LONG_PART=0 to 7: an eighth of the long tests, too.
test: $(VENV)/installed-dev
	$(COMPILE)
	$(PYTEST) -n auto --dist worksteal $(if $(LONG_PART),--long-part $(LONG_PART))

test-long: $(VENV)/installed-dev
	$(COMPILE)
	$(PYTEST) -n auto --dist worksteal --run-long

# With TORCH=torch==VERSION+cpu: the smaller build without GPU, if pip finds it.
TORCH ?= torch
test-ranker: $(VENV)/installed-dev
	@$(INSTALL) --no-build-isolation -e ".[ranker]" "$(TORCH)" transformers trl
	$(PYTEST) tests/papers/simplan/ranker tests/integrations/test_trl_training.py

# Three parts, which `make --jobs 2 lint` runs beside each other.
lint: lint-ruff lint-mypy lint-pyright

lint-ruff: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-mypy: $(VENV)/installed-dev
	$(BIN)/mypy -p pddl_pipeline

lint-pyright: $(VENV)/installed-dev
	$(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Loads nothing from the network. A broken link or reference is an error.
docs: $(VENV)/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "open build/docs/index.html"

# The numbers and the figure from the stored runs, and the paper as build/paper.pdf.
paper: $(VENV)/installed-dev
	mkdir -p build
	$(BIN)/python studies/update_paper.py build/paper.pdf
	@echo "open build/paper.pdf"

dist: $(VENV)/installed
	rm -rf dist build/lib build/bdist.*
	$(BIN)/python -c 'from setuptools.build_meta import *; build_sdist("dist"); build_wheel("dist")' >/dev/null
	rm -rf src/*.egg-info # a test that looks for the package's files would find it
	[ ! -e .git ] || PYTHON=$(BIN)/python bash .ci/try-sources dist/*.whl dist/*.tar.gz
	PYTHON=$(PYTHON) bash .ci/try-distributions dist constraints.txt

# To be made with the oldest Python that is supported: some packages leave it behind.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --upgrade pip setuptools
	build/lock/bin/python -m pip install --quiet --no-build-isolation -e ".[dev,docs]"
	build/lock/bin/python -m pip freeze --all --exclude-editable > constraints.txt

# All packages of this Python and platform as files, so that demo and test install without an index.
wheelhouse: $(VENV)/bin/python
	@$(PIP) install --quiet -c constraints.txt pip setuptools
	$(PIP) wheel --quiet -c constraints.txt --no-build-isolation -w build/wheelhouse pip setuptools ".[dev,docs]"
	$(PIP) wheel --quiet -c constraints.txt --no-build-isolation -w build/wheelhouse ".[reasoning-gym]" \
		|| echo "Without reasoning-gym: one of its packages needs a C compiler."
	@rm -f build/wheelhouse/pddl_pipeline-*.whl
	mv build/wheelhouse wheelhouse

clean:
	rm -rf $(VENV) build demo-runs src/pddl_pipeline.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("found Python %d.%d, expected 3.11 or later; try: make PYTHON=python3.11" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "installing into $(VENV), versions as in constraints.txt"
	@$(INSTALL) pip setuptools || { $(OFFLINE); exit 1; }
	@$(INSTALL) --no-build-isolation -e ".[report]"
	@touch $@

$(VENV)/installed-docs: $(VENV)/installed
	@$(INSTALL) --no-build-isolation -e ".[docs]"
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	@$(INSTALL) --no-build-isolation -e ".[dev,reasoning-gym]" \
		|| { $(INSTALL) --no-build-isolation -e ".[dev]" \
		&& echo "reasoning-gym is not installed: one of its packages needs a C compiler. Its tests are left out."; }
	@touch $@
