# SPDX-License-Identifier: MIT
"""The one exception that the command turns into a message."""


class FlowError(Exception):
    """Something the user can act on: what was wrong, and where."""
