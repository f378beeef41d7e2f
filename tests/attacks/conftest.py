"""What the tests of the pages begin with serves these, too."""

from __future__ import annotations

from web.conftest import serve

__all__ = ["serve"]
