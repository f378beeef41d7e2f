"""Permissions: the referee's PIN with limited attempts, the CSRF token, and the headers every answer carries.

The PIN makes a browser the referee's; only a referee's browser may change a game. A phone may take a seat and speak for
that seat alone. Both facts live in Flask's signed cookie, which scripts cannot read. A program has a token in place of
both (`Authorization: Bearer`): no browser sends that by itself, so it needs no CSRF token.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from flask import Flask, Response, current_app, g, request, session
from werkzeug.exceptions import RequestEntityTooLarge

from arena_cam.domain.errors import Refused
from arena_cam.store.tokens import Token
from arena_cam.web.words.messages import PageRefusal

P = ParamSpec("P")
R = TypeVar("R")

CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"
LARGEST_BODY = 64 * 1024  # of JSON and forms: an amendment with its missed events is about 2 kB
TAKES_FILES = frozenset(
    {"api_opened.open_export", "api_photos.take_own", "api_photos.take", "api_photos.film", "api_upkeep.take"}
)  # the endpoints that may be sent more
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

# What a token must be for to change something, by the blueprint that is asked; a game's where none is named.
SCOPE_OF_BLUEPRINT = {"api_setup": "setup"}
CHANGES_A_GAME = "referee"
NO_TOKENS = frozenset({"api_programs", "api_upkeep"})  # a token makes no tokens, and names no address to send to

# Six digits make a million PINs: at 20 wrong tries a minute from everywhere together, half of them take 17 days.
WRONG_TRIES_PER_ADDRESS = 5
WRONG_TRIES_IN_ALL = 20
TRIES_WINDOW_S = 60.0

# No inline script, no inline style, nothing from any other place; pages may not be framed.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
# What is looked at and nothing else: a stream's programs and a house's dashboards may frame it.
FRAMED = frozenset({"scoreboard.overlay"})
FRAMED_POLICY = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


# The page on which a telephone is the camera, and no other, may ask for it.
CAMERA_PAGE, CAMERA_ALLOWED = "camera.camera", "camera=(self), microphone=(), geolocation=()"


class PinGate:
    """Compares PINs and forgets nothing for a minute: too many wrong ones and the gate stays shut a while.

    `clock` gives seconds from any start and never runs backwards.
    """

    def __init__(self, pin: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin = pin.encode()
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str]] = deque()

    def try_pin(self, pin: str, address: str) -> bool:
        """Whether `pin` is right; raises Refused("too_many_attempts") where it is too early to try again."""
        with self._lock:
            now = self._clock()
            while self._wrong and now - self._wrong[0][0] >= TRIES_WINDOW_S:
                self._wrong.popleft()
            here = sum(1 for _, who in self._wrong if who == address)
            if here >= WRONG_TRIES_PER_ADDRESS or len(self._wrong) >= WRONG_TRIES_IN_ALL:
                raise Refused("too_many_attempts", PageRefusal.MANY_WRONG_PINS())
            right = hmac.compare_digest(self._pin, pin.strip().encode())
            if not right:
                self._wrong.append((now, address))
            return right


def new_pin() -> str:
    """Six random digits."""
    return f"{secrets.randbelow(10**6):06d}"


def csrf_token() -> str:
    """This browser's token, made at its first page."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def csrf_in_use() -> str | None:
    """This browser's token, if it has one: it tells browsers apart. A program that shows its own token has none."""
    return session.get("csrf")


def csrf_is_good() -> bool:
    """Whether a request that changes something came from one of our own pages."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    expected = session.get("csrf")
    given = request.headers.get(CSRF_HEADER)
    if given is None:
        given = request.form.get(CSRF_FIELD, "") if request.endpoint not in TAKES_FILES else ""
    return isinstance(expected, str) and hmac.compare_digest(expected.encode(), given.encode())


def is_referee() -> bool:
    """Whether this browser has given the PIN that is in force (a new PIN ends all older log-ins)."""
    mark = session.get("referee")
    return isinstance(mark, str) and hmac.compare_digest(mark.encode(), _referee_mark().encode())


def become_referee() -> None:
    session["referee"] = _referee_mark()


def stop_being_referee() -> None:
    session.pop("referee", None)


def _referee_mark() -> str:
    """The cookie's value after a log-in with the present PIN: not the PIN, and nothing to guess it from offline."""
    key = str(current_app.secret_key).encode()
    pin: bytes = current_app.extensions["arena_cam_pin"]
    return hmac.new(key, b"referee" + pin, "sha256").hexdigest()


def may_watch() -> bool:
    """Whether what only referees see may be shown: to a referee's browser, or to a program with any token."""
    return is_referee() or program() is not None


def program() -> Token | None:
    """The token that this request came with; what it may change was looked at before."""
    token: Token | None = g.get("token")
    return token


def referee_only(view: Callable[P, R]) -> Callable[P, R]:
    """A view that answers 403 `not_referee` to all but referees and programs with a token for it."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        if not may_watch():
            raise Refused("not_referee", PageRefusal.REFEREE_MAY_DO())
        return view(*args, **kwargs)

    return guarded


def _look_at_token(find: Callable[[str], Token | None]) -> None:
    """Takes in the token of this request. Raises Refused where it is not in force or not for what is asked."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not request.path.startswith("/api/"):
        return
    token = find(secret.strip())
    if token is None:
        raise Refused("unknown_token", PageRefusal.TOKEN_UNKNOWN())
    needed = SCOPE_OF_BLUEPRINT.get(request.blueprint or "", CHANGES_A_GAME)
    changes = request.method not in SAFE_METHODS
    if request.blueprint in NO_TOKENS or (changes and needed not in token.scopes):
        raise Refused("not_allowed", PageRefusal.TOKEN_NOT_FOR_THIS(name=token.name))
    g.token = token


def install(app: Flask, pin: str, find_token: Callable[[str], Token | None] = lambda _: None) -> PinGate:
    """Puts the checks of tokens and CSRF before and the headers after every request."""
    gate = PinGate(pin)
    app.extensions["arena_cam_pin"] = pin.encode()

    @app.before_request
    def check_size() -> None:
        """Before anything of the body is read. The server has counted it, also where the browser did not say."""
        if (request.content_length or 0) > LARGEST_BODY and request.endpoint not in TAKES_FILES:
            raise RequestEntityTooLarge

    @app.before_request
    def check_origin() -> None:
        _look_at_token(find_token)
        if request.method not in SAFE_METHODS and program() is None and not csrf_is_good():
            raise Refused("csrf", PageRefusal.OLD_PAGE())

    @app.after_request
    def add_headers(response: Response) -> Response:
        if request.endpoint == CAMERA_PAGE:
            response.headers["Permissions-Policy"] = CAMERA_ALLOWED
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint in FRAMED:
            response.headers["Content-Security-Policy"] = FRAMED_POLICY
            del response.headers["X-Frame-Options"]
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    return gate


def cookie_settings() -> dict[str, Any]:
    """Flask settings of the one cookie that holds who this browser is."""
    return {
        "SESSION_COOKIE_NAME": "arena_cam",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",  # a phone arrives by a QR code: Strict would lose its seat on the way
        "PERMANENT_SESSION_LIFETIME": 12 * 3600,
    }
