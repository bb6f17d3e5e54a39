# SPDX-License-Identifier: MIT
"""Papers reproduced: simulations as a Snakemake workflow, figures, and a page for each. studies/ has what is measured beside
them, a file for each study, and parts/ what several studies or a long one are made of."""
