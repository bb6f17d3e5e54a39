# SPDX-License-Identifier: MIT
"""What ends the command with one message."""


class CampaignError(Exception):
    """str() of it is the message."""
