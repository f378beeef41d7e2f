"""`python -m arena_cam` is `arena-cam`."""

import sys

from arena_cam.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
