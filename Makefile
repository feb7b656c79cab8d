# The short way in. Each target installs the Debian packages it misses and builds what it needs; the
# work is done by CMake (CMakePresets.json) and the scripts in tools/.
.PHONY: all demo gallery repro tuning levels hashes fuzz soak fault study test slow-test sanitize live-test mpi-test data-test bench format tidy coverage install uninstall deb windows web web-test wheel wheel-test clean help

all:       ## build the program: build/release/sistrum
	@tools/install.sh build
	@tools/install.sh sound || echo "sistrum play will have no sound: packages of JACK, PortAudio and ALSA are missing"
	@tools/build.sh release

demo:      ## play one instrument into demo/: sound, energy picture, report
	@tools/install.sh build
	@tools/build.sh release sistrum-cli sistrum-scene sistrum-data
	@tools/demo.sh

gallery:   ## play every scene into gallery/index.html: sounds, pictures, knobs on one page (ARGS="--all")
	@tools/install.sh gallery
	@tools/build.sh release sistrum-cli sistrum-scene
	@$(PYTHON) tools/gallery.py $(ARGS)

repro:     ## reproduce the papers into repro-out/: figures, report.html; and write docs/reproduction.md
	@tools/install.sh build
	@tools/build.sh release sistrum-cli
	@tools/repro.sh

tuning:    ## play notes of every pitched scene, measure them, write docs/tuning.md
	@tools/install.sh gallery
	@tools/build.sh release sistrum-cli
	@$(PYTHON) tools/tuning.py

fuzz:      ## what errors say of twenty thousand random wrong scenes (ARGS="COUNT SEED"), a million random calls of the live library and of the CLAP plugin
	@tools/install.sh gallery
	@tools/build.sh release sistrum-scene
	@$(PYTHON) test/wrong_scenes.py $(or $(ARGS),20000)
	@tools/build.sh release test_live_fuzz
	@SISTRUM_LONG=1 build/release/test/test_live_fuzz
	@tools/fuzz_clap.sh

soak:      ## ten minutes of random hands on shipped instruments, under each of the sanitizers and without (ARGS="SECONDS")
	@tools/install.sh test
	@tools/build.sh release test_live_soak
	@tools/build.sh asan test_live_soak
	@tools/build.sh tsan test_live_soak
	@tools/soak.sh $(ARGS)

fault:     ## memory, disks, folders and signals that fail in every command; nothing is lost, left or crashes (ARGS="--only files")
	@tools/install.sh test
	@PYTHON=$(PYTHON) tools/fault.sh $(ARGS)

levels:    ## play every key of every playable scene, measure how loud it is, write docs/levels.md
	@tools/install.sh gallery
	@tools/build.sh release sistrum-cli
	@$(PYTHON) tools/levels.py

hashes:    ## the same samples from every compiler and processor, writes docs/hashes.md; an hour, goes on where it was
	@tools/install.sh hashes
	@tools/build.sh release scene_samples
	@tools/hashes.sh --write

study:     ## long forms of tests, laws of contacts in ten thousand random scenes, 15 to 25 minutes; writes docs/campaigns.md
	@tools/install.sh test
	@tools/build.sh release
	@SISTRUM_LONG=1 ctest --test-dir build/release -L '^long$$' -j "$$(nproc)" --output-on-failure --no-tests=error
	@python3 tools/study.py

test:      ## everything that must hold: tests, both compilers, same bits, format
	@tools/install.sh test
	@tools/test.sh

slow-test: ## what takes longest: every command of the pages, pitch and level of every instrument, papers, one more compiler call, faults
	@tools/install.sh test
	@tools/slow_test.sh

sanitize:  ## the tests once more under the address, undefined behaviour and thread sanitizers
	@tools/install.sh test
	@tools/sanitize.sh

live-test: ## instruments that are played, in real hosts: LV2, CLAP, JACK, Pure Data; installs what it needs (ARGS="lv2")
	@tools/live_test.sh $(ARGS)

mpi-test:  ## studies on the ranks of an MPI job: same bytes for any number, after kills too; installs OpenMPI
	@tools/mpi_test.sh

data-test: ## data files read back by h5py, scipy, libmatio and Octave: same numbers, names, units, rate; installs them
	@tools/data_test.sh

bench:     ## what a sample costs, against the machine's limits; notes it in build/bench.csv
	@tools/install.sh build
	@tools/build.sh release sistrum-cli
	@tools/bench.sh

format:    ## lay out every C file by .clang-format
	@tools/install.sh test
	@tools/format.sh

tidy:      ## clang-tidy and cppcheck
	@tools/install.sh tidy
	@tools/tidy.sh

coverage:  ## which lines the tests reach
	@tools/install.sh coverage
	@tools/coverage.sh

install:   ## install program, library and scenes (PREFIX=/usr/local, DESTDIR=)
	@tools/install.sh build
	@tools/build.sh release
	DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"
	@printf '%s' "$(DESTDIR)" >build/release/install_stage.txt

uninstall: ## remove what make install has put there
	@tools/uninstall.sh

deb:       ## Debian packages in build/deb/, checked by lintian and tried out
	@tools/install.sh deb
	@tools/deb.sh

windows:   ## core, live library and sistrum.clap for Windows in build/windows/, by mingw-w64; run by wine if it is there
	@tools/install.sh windows
	@tools/build.sh release scene_samples sistrum-clap clap_play
	@tools/windows.sh

web:       ## the page into web/dist/: static files for any https host; what changed is built anew
	@tools/install.sh web
	@tools/build.sh release sistrum-cli scene_samples
	@tools/web.sh $(ARGS)

web-test:  ## the page in Node and in headless Chromium, by real events (ARGS=--long: a minute of play)
	@tools/web_test.sh $(ARGS)

wheel:     ## the Python package with its libraries and scenes in one file: build/wheel/*.whl
	@tools/install.sh wheel
	@tools/build.sh release sistrum-scene sistrum-data
	@PYTHON=$(PYTHON) tools/wheel.sh

wheel-test: ## the wheel in a fresh environment without the sources, and the notebooks in Jupyter (ARGS=--picture)
	@PYTHON=$(PYTHON) tools/wheel_test.sh $(ARGS)

clean:     ## remove everything built or rendered
	rm -rf build demo gallery repro-out web/dist web/node_modules

help:      ## this list
	@sed -n 's/^\([a-z-]*\): *## */  make \1\t/p' Makefile | expand -t 18

PREFIX ?= /usr/local
# Debian's, which has Debian's numpy.
PYTHON ?= /usr/bin/python3
