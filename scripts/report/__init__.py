"""The PAWS paper reproduced: simulations as a Snakemake workflow, figures, and the report."""
