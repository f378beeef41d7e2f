#!/usr/bin/env bash
# Takes the service away: sudo systemd/uninstall.sh [--purge]
# Settings and games are kept unless --purge is given.
set -euo pipefail

if [[ $EUID -ne 0 ]]; then
    echo "This changes the system. Type: sudo $0 $*" >&2
    exit 1
fi

systemctl disable --now arena-cam.service 2>/dev/null || true
rm -f /etc/systemd/system/arena-cam.service
systemctl daemon-reload
rm -rf /opt/arena-cam /var/cache/arena-cam

if [[ ${1:-} == --purge ]]; then
    rm -rf /etc/arena-cam /var/lib/arena-cam
    if getent passwd arena-cam >/dev/null; then userdel arena-cam; fi
    echo "Removed, with all settings and games."
else
    echo "Removed. Settings are still in /etc/arena-cam, games in /var/lib/arena-cam; --purge removes them too."
fi
