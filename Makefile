# The same words for people and for CI. Each target is one script in scripts/, which says what it does. First it installs what
# it needs, or says what cannot be; then the page is built, which takes seconds, and then the hub, which takes minutes.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test lint format build companion web web-modules wasm bench firmware firmware-run test-firmware attack torture conformance fuzz pictures docs deb prove-deb prove-clean image prove-image release clean
MAKEFLAGS += --no-print-directory

# What `tandem demo` is started with: make run ARGS="--port 9000 --legacy plants"
ARGS ?=
# How `make run` builds: a debug build is there in half the time, and is the one that `swift build` goes on with.
CONFIGURATION ?= debug
# How long `make fuzz` runs, and what; which probes `make attack` plays. Nothing: all.
SECONDS ?= 600
TARGETS ?=
PROBES ?=
# Which programs of Benchmarks `make bench` runs. Nothing: all.
ONLY ?=
# How often `make torture` kills the hub.
ROUNDS ?= 1000
# Where `make conformance` finds the other makers' tests.
DIR ?=
# Which version `make release` is to be of: that of Platform/HubKit/HubVersion.swift.
VERSION ?=
# Which image of Firmware/Images `make firmware-run` runs: plant-sensor, toy or drums.
IMAGE ?= toy
# What `make companion` is to make.
NAME ?=
SLUG ?=
TITLE ?=

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

run: ## install what is missing, build, and start the hub with a sample household on http://localhost:8080
	@scripts/setup.sh run
	@scripts/web.sh
	@scripts/build.sh $(CONFIGURATION)
	@exec scripts/run.sh $(CONFIGURATION) $(ARGS)

test: ## everything: unit tests, vectors in WebAssembly, real MQTT clients, a real browser
	@scripts/setup.sh test
	@scripts/test.sh

lint: ## format, imports against modules.json, names, sizes, the core in Embedded mode, and the page against the hub’s types
	@scripts/setup.sh lint
	@scripts/lint.sh

format: ## write the Swift sources the way `make lint` wants them
	@scripts/setup.sh format
	@scripts/format.sh

build: ## the release executable, .build/release/tandem
	@scripts/setup.sh run
	@scripts/build.sh release

companion: ## one more companion that works, from templates: make companion NAME=FishTank SLUG=fish TITLE="Fish tank"
	@scripts/setup.sh web
	@scripts/companion.sh "$(NAME)" "$(SLUG)" "$(TITLE)"

web: ## the web folder, web-build/: screens, WebAssembly, Chart.js, and a manifest of hashes
	@scripts/setup.sh web
	@scripts/web.sh

web-modules: ## the same of the modules as they are written, to debug: tandem demo --web web-modules
	@scripts/setup.sh web
	@scripts/web.sh modules

wasm: ## each companion's engine as WebAssembly
	@scripts/setup.sh web
	@scripts/wasm.sh

bench: ## docs/performance.md, from this machine; some of it: make bench ONLY="brokers handshakes"
	@scripts/setup.sh test
	@scripts/web.sh
	@scripts/build.sh release
	@ONLY="$(ONLY)" Benchmarks/bench.sh

firmware: ## the images of boards: sensor, toy and drum kit, and what they take of flash and memory
	@scripts/setup.sh firmware
	@scripts/firmware.sh
	@scripts/firmware.sh --board STM32F405
	@scripts/firmware.sh --board Pico

firmware-run: ## an image in QEMU, its serial line as a terminal, its parts played: make firmware-run IMAGE=toy
	@scripts/setup.sh firmware
	@scripts/firmware.sh >/dev/null
	@python3 Firmware/Tests/play.py "$(IMAGE)"

test-firmware: ## the images in QEMU, and the vectors of all engines on an ARM processor; ten minutes, with a hub that is built
	@scripts/setup.sh test
	@scripts/setup.sh firmware
	@scripts/test-firmware.sh

attack: ## what a stranger, a device or a child's file might try, against the release build; a line for each probe
	@scripts/setup.sh test
	@scripts/web.sh
	@scripts/build.sh release
	@scripts/attack.sh $(PROBES)

torture: ## kill the release build under load a thousand times, and count what it acknowledged: make torture ROUNDS=50
	@scripts/setup.sh test
	@scripts/build.sh release
	@scripts/torture.sh $(ROUNDS)

conformance: ## other makers’ MQTT tests against the hub, from a folder with their clones: make conformance DIR=~/eclipse
	@scripts/setup.sh test
	@swift build --product tandem
	@scripts/conformance.sh "$(DIR)"

fuzz: ## libFuzzer on every reader of foreign bytes, for ten minutes: make fuzz SECONDS=3600 TARGETS="midi-file json"
	@scripts/setup.sh run
	@scripts/fuzz.sh $(SECONDS) $(TARGETS)

pictures: ## the pictures of README.md and the site, from the running app
	@scripts/setup.sh pictures
	@scripts/web.sh
	@scripts/build.sh release
	@.venv/bin/python Tests/EndToEnd/pictures.py docs/pictures

docs: ## the documentation as a site, docs-build/: pages, the API and HubKit, from the newest build
	@scripts/setup.sh docs
	@scripts/docs.sh

deb: ## a Debian package in dist/, which needs no Swift where it is installed
	@scripts/setup.sh deb
	@scripts/deb.sh

prove-deb: ## that package installed, upgraded, removed and purged in a bare Debian 12 (as root, with debootstrap)
	@scripts/setup.sh prove
	@scripts/deb.sh
	@scripts/prove-deb.sh

prove-clean: ## what `make run` and `make test` install, in a bare Debian 12 with the build of this tree (as root)
	@scripts/setup.sh bare
	@scripts/build.sh release
	@scripts/prove-clean.sh

image: ## that package as an image for Docker and Podman, in dist/
	@scripts/setup.sh image
	@scripts/deb.sh
	@scripts/oci.sh

prove-image: ## that image loaded, started with compose.yaml, upgraded and announced to phones (as root, with podman)
	@scripts/setup.sh prove
	@scripts/deb.sh
	@scripts/oci.sh
	@scripts/prove-image.sh

release: ## all that a release is, in dist/: make release VERSION=0.1.0
	@scripts/setup.sh release
	@scripts/release.sh "$(VERSION)"

clean: ## everything that was built; ./data, your readings, stays
	@rm -rf .build .build-* web-build web-modules docs-build dist bench-results .venv .venv-homeassistant .venv-docs .venv-release
