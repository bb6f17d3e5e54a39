# SPDX-License-Identifier: MIT
"""The exceptions that the command turns into a message."""


class FlowError(Exception):
    """Something the user can act on: what was wrong, and where."""


class IllegalParameter(FlowError):
    """The RTL refuses a parameter, in its own words."""
