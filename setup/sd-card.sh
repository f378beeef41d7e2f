#!/usr/bin/env bash
# Puts the stage that makes a card with the referee, and this checkout in it, into a checkout of pi-gen.
# usage: setup/sd-card.sh PI-GEN-FOLDER     (setup/sd-card/README.md says the rest)
set -euo pipefail

pi_gen=${1:?"usage: setup/sd-card.sh PI-GEN-FOLDER"}
here=$(cd "$(dirname "$0")/.." && pwd)
stage=$pi_gen/stage-arena-cam

if [[ ! -x $pi_gen/build.sh ]]; then
    echo "$pi_gen: is no checkout of pi-gen; clone https://github.com/RPi-Distro/pi-gen (branch arm64) first" >&2
    exit 1
fi
rm -rf "$stage"
cp -r "$here/setup/sd-card/stage-arena-cam" "$stage"
mkdir -p "$stage/00-arena-cam/files"
git -C "$here" archive --format=tar --output="$(cd "$stage" && pwd)/00-arena-cam/files/arena-cam.tar" HEAD
touch "$pi_gen/stage2/SKIP_IMAGES" # only the image with the referee is exported
cat >"$pi_gen/config" <<SETTINGS
IMG_NAME=arena-cam
TARGET_HOSTNAME=arena-cam
STAGE_LIST="stage0 stage1 stage2 stage-arena-cam"
ENABLE_SSH=1
SETTINGS
echo "The stage is in $stage. Now: cd $pi_gen && sudo ./build-docker.sh"
