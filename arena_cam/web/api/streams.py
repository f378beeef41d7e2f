"""Event streams and the live picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, current_app, request

from arena_cam.domain.arguments import ArgumentRefusal
from arena_cam.domain.errors import Refused
from arena_cam.referee.interface import LAYERS, Subscription
from arena_cam.web.access.security import csrf_in_use
from arena_cam.web.access.shared import web
from arena_cam.web.api.reading import REFEREES_VIEWS, check_view
from arena_cam.web.live.picture_rate import PictureBudget
from arena_cam.web.live.regions import render_regions
from arena_cam.web.live.streams import HAND_OVER, Rendered, Stream
from arena_cam.web.pages.live_page import viewer_of
from arena_cam.web.words.messages import PageRefusal

blueprint = Blueprint("api_streams", __name__)

WHOLE_NUMBER = re.compile(r"-?[0-9]{1,15}")
PICTURE_NUMBER = re.compile(r"-1|[0-9]{1,15}")
PICTURE_WAIT_S = 2.0  # how long a request waits for a newer picture before it is answered with 204
_budget = PictureBudget()


@blueprint.get("/stream/<view>")
def stream(view: str) -> Response:
    """The changed regions of a page, as they change."""
    check_view(view)
    body = _event_stream(web().streams.page(_current_regions(view)))
    if view in REFEREES_VIEWS:
        web().streams.own(body, csrf_in_use() or "")
    player = viewer_of(view).player
    if player is not None:
        body.on_close(web().seats.watch(player))
    return _answer(body)


def _current_regions(view: str) -> Callable[[], Rendered]:
    """A function that renders `view` for this request's viewer, to be called long after the request has begun."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]  # the object itself outlives the request
    shared, viewer = web(), viewer_of(view)
    holds = shared.seats.keeper() if viewer.player else None

    def current() -> Rendered:
        now = viewer
        if view in ("join", "referee"):  # the pages that show who has taken which seat
            game = shared.session.snapshot()["game"]
            player = viewer.player if holds and holds(game) else None
            now = replace(viewer, player=player, seats=shared.seats.taken(game))
        return shared.streams.rendered((view, now), lambda: render_regions(app, shared.session, view, now))

    return current


@blueprint.get("/cards/<card>")
def card(card: str) -> Response:
    """A card of the deck in use as a small picture; "back" is its back."""
    jpeg = web().session.card_picture(card)
    if jpeg is None:
        raise Refused("unknown", PageRefusal.NO_SUCH_CARD())
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "max-age=3600"})


@blueprint.get("/events")
def events() -> Response:
    """The snapshot as JSON whenever it changes; `Last-Event-ID` is honoured."""
    last = request.headers.get("Last-Event-ID", "-1")
    subscription = web().session.subscribe(int(last) if WHOLE_NUMBER.fullmatch(last) else -1)
    try:
        body = _event_stream(_messages(subscription))
    except Refused:
        subscription.close()
        raise
    body.on_close(subscription.close)
    return _answer(body)


def _messages(subscription: Subscription) -> Callable[[], bytes]:
    def news() -> bytes:
        message = subscription.next(0.0)
        if message is None:
            return b""
        return f"id: {message['id']}\nevent: {message['kind']}\ndata: {message['data']}\n\n".encode()

    return news


def _event_stream(news: Callable[[], bytes]) -> Stream:
    """A stream that counts towards the limit until it is closed."""
    streams = web().streams
    if not streams.enter():
        raise Refused("too_many_streams", PageRefusal.MANY_PAGES())
    body = Stream(streams, news, request.environ.get(HAND_OVER))
    body.on_close(streams.leave)
    return body


def _answer(body: Stream) -> Response:
    headers = {"X-Accel-Buffering": "no"}
    # not wrapped: the server must see the stream object itself to take it over
    return Response(body, mimetype="text/event-stream", headers=headers, direct_passthrough=True)


@blueprint.get("/live.jpg")
def live_picture() -> Response:
    """The newest picture with the layers asked for. With `after`, waits for a newer one than that number.

    429 while too many look on: the page asks less often then.
    """
    wanted = request.args.get("layers") or ""
    layers = tuple(wanted.split(",")) if wanted else ()
    if not set(layers) <= set(LAYERS):
        raise Refused("bad_argument", ArgumentRefusal.SOME_OF(name="layers", names=", ".join(LAYERS)))
    after = request.args.get("after", "-1")
    if not PICTURE_NUMBER.fullmatch(after):
        raise Refused("bad_argument", ArgumentRefusal.WHOLE_NUMBER(name="after"))
    number = int(after)
    with _budget.waiting() as may_wait:
        if not may_wait or not _budget.take():
            raise Refused("too_many_attempts", PageRefusal.MANY_PICTURES())
        picture = web().session.wait_jpeg(number, PICTURE_WAIT_S, layers)
    if picture is None:
        return Response(status=204)
    return Response(picture[1], mimetype="image/jpeg", headers={"X-Picture": str(picture[0])})
