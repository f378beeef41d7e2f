"""The array types are numpy's own, of one kind each: no conversion hides in a name."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from arena_cam.geometry import arrays


@pytest.mark.parametrize(("alias", "kind"), [("Array", np.float64), ("Grey", np.float32), ("Mask", np.bool_)])
def test_each_name_means_one_kind_of_number(alias: str, kind: type) -> None:
    _, dtype = get_args(getattr(arrays, alias))
    assert get_args(dtype) == (kind,)
