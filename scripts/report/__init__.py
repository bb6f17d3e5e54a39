# SPDX-License-Identifier: MIT
"""The PAWS paper reproduced: simulations as a Snakemake workflow, figures, and the report."""
