#!/bin/sh
# Installs what the speed comparison compares with, on Debian or Ubuntu: PoCL (OpenCL on the processor, no counters), Oclgrind
# (an OpenCL device that interprets every work-item) and a C++ compiler. `npm run bench` leaves out what is not there.
set -eu
packages="pocl-opencl-icd oclgrind ocl-icd-opencl-dev opencl-headers g++ time"
if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo"; fi
$as_root apt-get update
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
