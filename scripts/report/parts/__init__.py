# SPDX-License-Identifier: MIT
"""What studies are made of: the designs that are compared, tables of synthesis, what is verified; findings of long ones."""
