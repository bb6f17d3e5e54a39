# SPDX-License-Identifier: MIT
"""The sections of its page, a module each."""
