#!/bin/bash -e
# pi-gen: begins from what the stage before made.
if [ ! -d "${ROOTFS_DIR}" ]; then
    copy_previous
fi
