# SPDX-License-Identifier: MIT
"""Lee et al. (HPCA 2014) reproduced: thread-block scheduling."""
