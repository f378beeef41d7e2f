"""What Home Assistant is told of us over MQTT, so that a lamp can follow a duel without a line of YAML.

Its MQTT discovery: a retained message for each entity on homeassistant/COMPONENT/NODE/OBJECT/config
(home-assistant.io/integrations/mqtt, "MQTT discovery").
"""

from __future__ import annotations

from typing import Any

from arena_cam import __version__
from arena_cam.referee.integrations.payloads import KINDS

Json = dict[str, Any]
DISCOVERY_PREFIX = "homeassistant"
LONGEST_STATE = 255  # of an entity of Home Assistant


def discovery(node: str, topics: dict[str, str]) -> dict[str, Json]:
    """By topic the entities of this table; `topics` are those of availability, state and event."""
    shared: Json = {
        "availability_topic": topics["availability"],
        "device": {
            "identifiers": [node],
            "name": "arena-cam",
            "manufacturer": "arena-cam",
            "model": "A camera referee",
            "sw_version": __version__,
        },
        "origin": {"name": "arena-cam", "sw_version": __version__},
    }
    return {
        f"{DISCOVERY_PREFIX}/{component}/{node}/{name}/config": shared
        | {"unique_id": f"{node}_{name}", "default_entity_id": f"{component}.arena_cam_{name}"}
        | about
        for (component, name), about in _entities(topics).items()
    }


def _entities(topics: dict[str, str]) -> dict[tuple[str, str], Json]:
    state = topics["state"]

    def when(condition: str) -> Json:
        return {"state_topic": state, "value_template": f"{{{{ 'ON' if {condition} else 'OFF' }}}}"}

    def value(key: str) -> Json:
        shown = f"{{{{ (value_json.{key} or 'none') | string | truncate({LONGEST_STATE}, True) }}}}"
        return {"state_topic": state, "value_template": shown}

    return {
        ("sensor", "ruling"): {"name": "Ruling", "icon": "mdi:gavel"} | value("ruling"),
        ("sensor", "awaiting"): {"name": "Awaiting", "icon": "mdi:timer-sand"} | value("awaiting"),
        ("sensor", "leading"): {
            "name": "Leading",
            "icon": "mdi:trophy",
            "state_topic": state,
            "value_template": "{{ (value_json.leading or ['none']) | join(', ') }}",
            "json_attributes_topic": state,
            "json_attributes_template": "{{ (value_json.points or {}) | tojson }}",
        },
        ("sensor", "round"): {"name": "Round", "icon": "mdi:counter"} | value("round"),
        ("binary_sensor", "choosing"): {"name": "Choosing", "icon": "mdi:eye-off"} | when("value_json.choosing"),
        ("binary_sensor", "question"): {"name": "Question", "icon": "mdi:help"} | when("value_json.question"),
        ("binary_sensor", "playing"): {"name": "Playing", "icon": "mdi:cards"}
        | when("value_json.awaiting and not value_json.paused"),
        ("binary_sensor", "blind"): {"name": "Cannot see", "device_class": "problem"}
        | when("value_json.eye == 'blind' or not value_json.camera"),
        ("event", "happening"): {
            "name": "Happening",
            "icon": "mdi:card-text",
            "state_topic": topics["event"],
            "event_types": list(KINDS),
            "value_template": "{{ dict(value_json, event_type=value_json.type) | tojson }}",
        },
    }
