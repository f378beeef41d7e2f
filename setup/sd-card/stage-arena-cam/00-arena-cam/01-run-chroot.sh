#!/bin/bash -e
# Within the image: the service's own user, the virtual environment, and the service started at every boot.
getent passwd arena-cam >/dev/null ||
    useradd --system --user-group --home-dir /var/lib/arena-cam --no-create-home --shell /usr/sbin/nologin arena-cam
ARENA_CAM_FOR_A_PI=yes /opt/arena-cam/setup/prepare.sh run /opt/arena-cam/.venv
systemctl enable arena-cam.service
