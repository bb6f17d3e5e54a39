# SPDX-License-Identifier: MIT
# The engines that are built with the project: the only place that names them.
#
# paws_engine(library level warps ready phase_bits [NAME=VALUE...] [SPEED opt] [CHECKED opt])
#
# library linked: in every program that uses the RTL, and in the first run; plugin: in the library paws_engines, which
# programs load when they need one of it; matrix: the tests alone.
# ready is 0 for the single level. NAME=VALUE are parameters of engine/parameters.def, where they are not standard;
# POLICIES has names of model/policies.toml joined by + (all that the level has in the RTL).
# SPEED and CHECKED (contract assertions on) name the builds and the compiler's
# optimization option of each. Without both, there is a checked build without optimization: to compile it
# takes longer than the tests that it then slows down.

# What the machines of the papers use, and the ready queue read per core instead of per scheduler. With assertions all
# policies are in one engine; without, each has one of its own, which is faster (make_rtl()).
paws_engine(plugin two_level    24  6  9 CHECKED -O2)
paws_engine(plugin two_level    24  3  9 CHECKED -O2)
paws_engine(plugin two_level    32  8  9 CHECKED -O2)
foreach(policy IN LISTS paws_rtl_two_level)
  paws_engine(linked two_level    24  6  9 POLICIES=${policy} SPEED -O3)
  paws_engine(plugin two_level    24  3  9 POLICIES=${policy} SPEED -O3)
  paws_engine(plugin two_level    32  8  9 POLICIES=${policy} SPEED -O3)
endforeach()
paws_engine(plugin single_level 24  0  9 CHECKED -O2)
paws_engine(plugin single_level 32  0  9 CHECKED -O2)
foreach(policy IN LISTS paws_rtl_single_level)
  set(library plugin)
  if(policy MATCHES "^(rr|gto|paws)$")
    set(library linked)
    paws_engine(plugin single_level 32  0  9 POLICIES=${policy} SPEED -O3)
  endif()
  paws_engine(${library} single_level 24  0  9 POLICIES=${policy} SPEED -O3)
endforeach()

# Fetch groups: the machine of PAWS, and that of large warps with its groups for warps of 32 and of 256 threads.
paws_engine(plugin single_level 24  0  9 POLICIES=group SPEED -O3 CHECKED -O2)
paws_engine(plugin single_level 32  0  9 POLICIES=group SPEED -O3 CHECKED -O2)
paws_engine(plugin single_level  4  0  9 POLICIES=group GROUP=2 SPEED -O3 CHECKED -O2)

# Ordered PAWS. With -O3 the compiler takes five times as long, and simulations one per cent less.
paws_engine(plugin single_level 24  0  9 POLICIES=paws_ordered SPEED -O1 CHECKED -O1)
paws_engine(plugin single_level 32  0  9 POLICIES=paws_ordered SPEED -O1 CHECKED -O1)

# The smaller sizes of docs/guide/integration.md, and what its template builds.
paws_engine(matrix two_level     8  6  9)
paws_engine(matrix two_level    16  6  9)
paws_engine(matrix two_level    24  6  9 LENGTH_W=9 POLICIES=paws)
paws_engine(matrix single_level  8  0  9)
paws_engine(matrix single_level 16  0  9)

# 64 warps with a ready queue of all takes a minute of the compiler: scripts/check long has it.
# Corners: smallest and largest, ready of 1 and of all warps, odd sizes, narrow and wide fields.
paws_engine(matrix two_level     4  1  4)
paws_engine(matrix two_level     4  4  5)
paws_engine(matrix two_level     5  3  4)
paws_engine(matrix two_level     7  2  6)
paws_engine(matrix two_level    13  5  8)
paws_engine(matrix two_level    16 16  9)
paws_engine(matrix two_level    24 24  9)
paws_engine(matrix two_level    48  6  9)
paws_engine(matrix two_level    64  8  9)
paws_engine(matrix two_level    64 32 16)
paws_engine(matrix two_level     7  2  6 TIE_ARRIVAL=1)
paws_engine(matrix two_level    24  6  9 TIE_ARRIVAL=1)

# The oldest of the warps that wake in one cycle first: every sorter, and RR, which has ages for it.
paws_engine(matrix two_level     5  3  4 WAKE_OLDEST=1)
paws_engine(matrix two_level    24  6  9 WAKE_OLDEST=1)
paws_engine(matrix two_level    48  6  9 WAKE_OLDEST=1)
paws_engine(matrix two_level     7  2  6 WAKE_OLDEST=1 SORTER=0)
paws_engine(matrix two_level     7  2  6 WAKE_OLDEST=1 SORTER=1)
paws_engine(matrix two_level     7  2  6 WAKE_OLDEST=1 POLICIES=rr)
paws_engine(matrix two_level    13  5  8 WAKE_OLDEST=1 TIE_ARRIVAL=1 POLICIES=paws SORTER=1)
paws_engine(matrix two_level     7  2  6 WAKE_OLDEST=1 AGE_LIMIT=3)

# The other sorters.
paws_engine(matrix two_level     4  1  4 SORTER=0)
paws_engine(matrix two_level     7  2  6 SORTER=0)
paws_engine(matrix two_level    24  6  9 SORTER=0)
paws_engine(matrix two_level     7  2  6 SORTER=1)
paws_engine(matrix two_level    24  6  9 SORTER=1)
paws_engine(matrix two_level    13  5  8 TIE_ARRIVAL=1 SORTER=0)
paws_engine(matrix two_level    13  5  8 TIE_ARRIVAL=1 SORTER=1)

paws_engine(matrix single_level  4  0  4)
paws_engine(matrix single_level  5  0  7)
paws_engine(matrix single_level 48  0 12)
paws_engine(matrix single_level 64  0 16)

# The single level by elimination, and in other matches: one round, many, matches that do not fill.
paws_engine(matrix single_level  4  0  4 PICKER=0)
paws_engine(matrix single_level  5  0  7 PICKER=0)
paws_engine(matrix single_level 24  0  9 PICKER=0)
paws_engine(matrix single_level 48  0 12 PICKER=0)
paws_engine(matrix single_level 64  0 16 PICKER=0)
paws_engine(matrix single_level  4  0  4 PICKER=2)
paws_engine(matrix single_level  5  0  7 PICKER=8)
paws_engine(matrix single_level 24  0  9 PICKER=5)

# The order of ages: every policy that it has, and the greedy one alone.
paws_engine(matrix single_level  5  0  7 PICKER=1 POLICIES=gto)
paws_engine(matrix single_level  4  0  4 PICKER=1 POLICIES=rr+gto+oldest+youngest+cggty+sca)
paws_engine(matrix single_level 24  0  9 PICKER=1 POLICIES=gto+youngest+cggty AGE_LIMIT=64)
paws_engine(matrix single_level  5  0  7 PICKER=1 POLICIES=gto CLOCK_GATES=1)

# Ordered PAWS: smallest and largest, narrow codes, quantized keys, two placed in a cycle, an age limit, clock gates.
paws_engine(matrix single_level  4  0  4 POLICIES=paws_ordered)
paws_engine(matrix single_level  5  0  7 POLICIES=paws_ordered COMPARES=2)
paws_engine(matrix single_level  7  0  2 LENGTH_W=2 POLICIES=paws_ordered COMPARES=2)
paws_engine(matrix single_level 24  0  4 LENGTH_W=4 POLICIES=paws_ordered)
paws_engine(matrix single_level 33  0 16 POLICIES=paws_ordered)
paws_engine(matrix single_level  5  0  7 PRECISION=2 POLICIES=paws_ordered)
paws_engine(matrix single_level  5  0  7 POLICIES=paws_ordered AGE_LIMIT=3 COMPARES=2)
paws_engine(matrix single_level  5  0  7 POLICIES=paws_ordered CLOCK_GATES=1)
paws_engine(matrix single_level 24  0  9 POLICIES=paws_ordered COMPARES=2 AGE_LIMIT=64)

# Quantized keys: the place of the leading one alone, a float that fills its code, one bit dropped.
paws_engine(matrix two_level     7  2  6 PRECISION=1)
paws_engine(matrix two_level    24  6  9 PRECISION=3)
paws_engine(matrix two_level     7  2  6 PRECISION=3 SORTER=1)
paws_engine(matrix two_level    13  5  8 PRECISION=2 TIE_ARRIVAL=1)
paws_engine(matrix single_level  5  0  7 PRECISION=1)
paws_engine(matrix single_level  5  0  7 PRECISION=4)
paws_engine(matrix single_level 24  0  9 PRECISION=3)
paws_engine(matrix single_level 48  0 12 PRECISION=11)

# Not every policy built, as one would put it into a chip, and a host with a narrow field.
foreach(policy IN LISTS paws_rtl_two_level)
  paws_engine(matrix two_level     7  2  6 POLICIES=${policy})
endforeach()
paws_engine(matrix two_level     7  2  6 POLICIES=paws SORTER=0)
paws_engine(matrix two_level     7  2  6 POLICIES=rr SORTER=0)
paws_engine(matrix two_level     7  2  6 POLICIES=paws TIE_ARRIVAL=1)
paws_engine(matrix two_level     7  2  6 POLICIES=rr SORTER=1)
paws_engine(matrix two_level     7  2  6 POLICIES=gto SORTER=1)
paws_engine(matrix two_level     7  2  6 POLICIES=rr+gto SORTER=1)
paws_engine(matrix two_level     7  2  6 POLICIES=rr+paws SORTER=1)
paws_engine(matrix two_level     7  2  6 POLICIES=paws SORTER=1)
paws_engine(matrix two_level     7  2  6 POLICIES=paws SORTER=1 TIE_ARRIVAL=1)
paws_engine(matrix two_level     7  2  6 LENGTH_W=6 POLICIES=paws)

# The compiler's codes in the place of lengths: as narrow as they may be, and held by the host.
paws_engine(matrix two_level     7  2  2 LENGTH_W=2 POLICIES=paws)
paws_engine(matrix two_level    13  5  3 LENGTH_W=3 POLICIES=paws HELD_LENGTH=1)
paws_engine(matrix single_level  5  0  2 LENGTH_W=2 POLICIES=paws)
paws_engine(matrix single_level 24  0  5 LENGTH_W=5 POLICIES=paws)

foreach(policy IN LISTS paws_rtl_single_level)
  paws_engine(matrix single_level  5  0  7 POLICIES=${policy})
endforeach()
paws_engine(matrix single_level  5  0  7 PICKER=0 POLICIES=gto)
paws_engine(matrix single_level  5  0  7 PICKER=0 PRECISION=2 POLICIES=paws)
paws_engine(matrix single_level  5  0  7 PICKER=0 POLICIES=oldest)
paws_engine(matrix single_level  5  0  7 LENGTH_W=9 POLICIES=gto+paws)
paws_engine(matrix single_level  5  0  7 PICKER=0 POLICIES=cggty+sca)

# The width of the number of a pair of blocks.
paws_engine(matrix single_level  4  0  4 PAIR_W=1 POLICIES=sca)
paws_engine(matrix single_level 13  0  5 PAIR_W=2 POLICIES=gto+sca)
paws_engine(matrix single_level 24  0  9 PAIR_W=5 POLICIES=sca)

# An age limit: of every issue, of few, of more issues than a warp waits in the ordinary; every sorter.
paws_engine(matrix two_level     4  1  4 AGE_LIMIT=1)
paws_engine(matrix two_level     7  2  6 AGE_LIMIT=3)
paws_engine(matrix two_level    24  6  9 AGE_LIMIT=64)
paws_engine(matrix two_level     7  2  6 AGE_LIMIT=4 SORTER=0)
paws_engine(matrix two_level     7  2  6 AGE_LIMIT=4 SORTER=1)
paws_engine(matrix two_level    13  5  8 AGE_LIMIT=5 TIE_ARRIVAL=1 SORTER=1)
paws_engine(matrix two_level     7  2  6 AGE_LIMIT=2 TIE_ARRIVAL=1 POLICIES=paws)
paws_engine(matrix single_level  4  0  4 AGE_LIMIT=1)
paws_engine(matrix single_level  5  0  7 AGE_LIMIT=3 PICKER=0)
paws_engine(matrix single_level 24  0  9 AGE_LIMIT=64)
paws_engine(matrix single_level  5  0  7 AGE_LIMIT=2 POLICIES=gto)
paws_engine(matrix single_level  5  0  7 AGE_LIMIT=2 POLICIES=cggty)
paws_engine(matrix single_level  5  0  7 AGE_LIMIT=3 PAIR_W=2 POLICIES=sca)

# Lengths that the host holds.
paws_engine(matrix two_level    24  6  9 HELD_LENGTH=1)
paws_engine(matrix two_level     7  2  6 HELD_LENGTH=1 LENGTH_W=6 POLICIES=paws)
paws_engine(matrix two_level     7  2  6 HELD_LENGTH=1 SORTER=0)
paws_engine(matrix two_level     7  2  6 HELD_LENGTH=1 SORTER=1)
paws_engine(matrix two_level    13  5  8 HELD_LENGTH=1 TIE_ARRIVAL=1 PRECISION=2)

# Clock gates: one for every warp, for groups that do not come out even, for all; every sorter.
paws_engine(matrix two_level    24  6  9 CLOCK_GATES=4)
paws_engine(matrix two_level     5  3  4 CLOCK_GATES=1)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=3)
paws_engine(matrix two_level     4  1  4 CLOCK_GATES=4)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=2 SORTER=0)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=1 SORTER=1)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=1 POLICIES=rr)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=2 AGE_LIMIT=3)
paws_engine(matrix two_level     7  2  6 CLOCK_GATES=1 HELD_LENGTH=1 LENGTH_W=6 POLICIES=paws)
paws_engine(matrix single_level 24  0  9 CLOCK_GATES=1)
paws_engine(matrix single_level  5  0  7 CLOCK_GATES=1 AGE_LIMIT=3)

# Late ends: every sorter, with a limit and clock gates, batches by age.
paws_engine(matrix single_level  5  0  7 LATE_EXIT=1 AGE_LIMIT=3)
paws_engine(matrix single_level  5  0  7 POLICIES=paws_ordered LATE_EXIT=1 AGE_LIMIT=3 COMPARES=2)
paws_engine(matrix two_level     7  2  6 LATE_EXIT=1)
paws_engine(matrix two_level     7  2  6 LATE_EXIT=1 AGE_LIMIT=3 WAKE_OLDEST=1 SORTER=0)
paws_engine(matrix two_level     7  2  6 LATE_EXIT=1 AGE_LIMIT=4 CLOCK_GATES=2 SORTER=1)

# Fetch groups: of one warp, of all, of sizes that are no power of two, with a timeout.
paws_engine(matrix single_level  4  0  4 POLICIES=group GROUP=1)
paws_engine(matrix single_level  5  0  4 POLICIES=group GROUP=5)
paws_engine(matrix single_level 12  0  9 POLICIES=group GROUP=3)
paws_engine(matrix single_level 32  0  9 POLICIES=group GROUP=4)
paws_engine(matrix single_level 48  0  9 POLICIES=group)
paws_engine(matrix single_level 64  0  9 POLICIES=group GROUP=16)
paws_engine(matrix single_level  4  0  4 POLICIES=group GROUP=1 TIMEOUT=1)
paws_engine(matrix single_level  6  0  4 POLICIES=group GROUP=2 TIMEOUT=3)
paws_engine(matrix single_level 32  0  9 POLICIES=group TIMEOUT=32)
