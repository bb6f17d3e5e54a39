# SPDX-License-Identifier: MIT
"""Papers reproduced: simulations as a Snakemake workflow, figures, and a page for each."""
