# SPDX-License-Identifier: MIT
# cmake --install: `paws` and `cuda++`, and below share/paws and lib/paws what they read, in the folders of the project
# and of the build (sim/support/installation.h). Engines can be built from there, too.
install(TARGETS paws RUNTIME DESTINATION bin)
install(TARGETS paws_engines LIBRARY DESTINATION lib/paws/engine)
install(DIRECTORY ${PROJECT_BINARY_DIR}/cuda/ DESTINATION lib/paws/cuda FILES_MATCHING PATTERN "libcu*.so*")
install(DIRECTORY ${PROJECT_BINARY_DIR}/workloads/ DESTINATION lib/paws/workloads FILES_MATCHING PATTERN "*.ptx")
install(DIRECTORY rtl model engine DESTINATION share/paws PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY workloads DESTINATION share/paws PATTERN CMakeLists.txt EXCLUDE PATTERN references EXCLUDE)
install(DIRECTORY sim/presets DESTINATION share/paws/sim)
install(DIRECTORY sim/cuda/include DESTINATION share/paws/sim/cuda)
install(PROGRAMS scripts/cuda++ scripts/cuda2ptx scripts/sweep DESTINATION share/paws/scripts)
install(FILES scripts/lib/__init__.py scripts/lib/cuda_refusals.py scripts/lib/estimate.py scripts/lib/nvcc_dialect.py
  scripts/lib/places.py scripts/lib/pool.py scripts/lib/progress.py scripts/lib/store.py scripts/lib/sweep.smk
  scripts/lib/sweep_runs.py scripts/lib/sweep_tables.py
  DESTINATION share/paws/scripts/lib)
install(FILES scripts/report/slurm/config.yaml DESTINATION share/paws/scripts/report/slurm)
install(CODE "file(CREATE_LINK ../share/paws/scripts/cuda++ \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/cuda++\" SYMBOLIC)")
