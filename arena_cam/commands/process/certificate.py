"""A certificate of one's own, made once and kept: browsers warn of it, and it can be compared by its fingerprint."""

from __future__ import annotations

import hashlib
import os
import ssl
import subprocess
from pathlib import Path

from arena_cam.commands.process.messages import ProcessTrouble
from arena_cam.domain.errors import CannotDo

VALID_DAYS = 825  # no browser believes one for longer
TAKES_AT_MOST_S = 30.0


def own_certificate(folder: Path, host: str) -> tuple[Path, Path, str]:
    """(certificate, key, SHA-256 fingerprint) for the name or address `host`.

    They are made anew where they were for another, or are damaged.

    Raises CannotDo where openssl is not there or cannot write.
    """
    certificate, key, made_for = (folder / name for name in ("https.crt", "https.key", "https.host"))
    try:
        known = made_for.read_text(encoding="utf-8", errors="replace") if made_for.is_file() else ""
        if known != host or not _belong_together(certificate, key):
            _make(certificate, key, host)
            made_for.write_text(host, encoding="utf-8")
    except OSError as error:
        raise CannotDo(ProcessTrouble.CERTIFICATE_NOT_KEPT(text=error.strerror), about=folder) from None
    der = ssl.PEM_cert_to_DER_cert(certificate.read_text(encoding="ascii"))
    digest = hashlib.sha256(der).hexdigest().upper()
    return certificate, key, ":".join(digest[i : i + 2] for i in range(0, len(digest), 2))


def _belong_together(certificate: Path, key: Path) -> bool:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
        certificate.read_text(encoding="ascii")
    except (OSError, ValueError):  # ssl.SSLError among them: torn, or one of another pair
        return False
    return True


def _make(certificate: Path, key: Path, host: str) -> None:
    kind = "IP" if host.replace(".", "").isdigit() or ":" in host else "DNS"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-keyout", str(key), "-out", str(certificate), "-days", str(VALID_DAYS), "-subj", "/CN=arena-cam"]
    command += ["-addext", f"subjectAltName={kind}:{host},DNS:localhost"]
    before = os.umask(0o077)  # nobody else reads the key
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=TAKES_AT_MOST_S)
    except FileNotFoundError:
        raise CannotDo(ProcessTrouble.NO_OPENSSL()) from None
    except (subprocess.SubprocessError, OSError) as error:
        raise CannotDo(ProcessTrouble.CERTIFICATE_NOT_MADE(text=str(error)), about=certificate) from None
    finally:
        os.umask(before)
