# SPDX-License-Identifier: MIT
"""One module per figure of the report; each has section(results), which gives a Section."""
