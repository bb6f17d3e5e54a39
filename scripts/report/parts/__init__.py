# SPDX-License-Identifier: MIT
"""What studies read: the designs that are compared, tables of synthesis, what is verified; and parts of long studies."""
