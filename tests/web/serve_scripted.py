"""Serves one scripted scene to look at: PYTHONPATH=tests python -m web.serve_scripted SCENE [PORT] (PIN 123456)."""

from __future__ import annotations

import sys
import time

from arena_cam.web.access.shared import WebSettings
from arena_cam.web.application import create_app
from arena_cam.web.serving import Server, listen
from web import scripted_session as scripted

SCENES = {
    "empty": scripted.snapshot,
    "throws": scripted.throws_scene,
    "duel": scripted.duel_scene,
    "question": scripted.question_scene,
    "over": scripted.over_scene,
}

if __name__ == "__main__":
    session = scripted.ScriptedSession(SCENES[sys.argv[1]]())
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    app = create_app(session, WebSettings("123456", "only to look at", f"http://localhost:{port}"))  # type: ignore[arg-type]
    Server(app, listen("127.0.0.1", port)).start()
    time.sleep(3600)
