#!/bin/bash -e
# Copies the program, its settings and its service into the image.
install -d "${ROOTFS_DIR}/opt/arena-cam" "${ROOTFS_DIR}/etc/arena-cam"
tar -xf files/arena-cam.tar -C "${ROOTFS_DIR}/opt/arena-cam"
install -m 0644 "${ROOTFS_DIR}/opt/arena-cam/systemd/referee.conf" "${ROOTFS_DIR}/etc/arena-cam/referee.conf"
install -m 0644 "${ROOTFS_DIR}/opt/arena-cam/systemd/arena-cam.service" \
    "${ROOTFS_DIR}/etc/systemd/system/arena-cam.service"
