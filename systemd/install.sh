#!/usr/bin/env bash
# Installs the referee as a service: sudo systemd/install.sh
# Puts this checkout into /opt/arena-cam, settings into /etc/arena-cam, games into /var/lib/arena-cam. Run it again to
# update; settings and games are kept.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
program=/opt/arena-cam
settings=/etc/arena-cam

if [[ $EUID -ne 0 ]]; then
    echo "This changes the system. Type: sudo $0" >&2
    exit 1
fi

getent passwd arena-cam >/dev/null ||
    useradd --system --user-group --home-dir /var/lib/arena-cam --no-create-home --shell /usr/sbin/nologin arena-cam

if [[ $here != "$program" ]]; then
    mkdir -p "$program"
    git -C "$here" archive HEAD | tar -x -C "$program"
fi
"$program/setup/prepare.sh" run "$program/.venv"

mkdir -p "$settings"
[[ -e $settings/referee.conf ]] || install -m 0644 "$program/systemd/referee.conf" "$settings/referee.conf"
install -m 0644 "$program/systemd/arena-cam.service" /etc/systemd/system/arena-cam.service
systemctl daemon-reload
systemctl enable arena-cam.service

systemctl restart arena-cam.service
echo "The referee runs: http://$(hostname):8000   Its log: journalctl -u arena-cam -f"
echo "Set the table up: http://$(hostname):8000/setup   The PIN: sudo cat /var/lib/arena-cam/web-pin"
