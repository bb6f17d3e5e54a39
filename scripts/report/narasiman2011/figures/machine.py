# SPDX-License-Identifier: MIT
"""Table 1: the machine, and the preset beside it."""


from lib import presets
from report.narasiman2011 import setups
from report.narasiman2011.data import Results
from report.section import Section, Table


def section(results: Results) -> Section:
    preset = presets.values(setups.GPU)
    core, l1, dram = preset["core"], preset["l1"], preset["dram"]
    bandwidth = dram["clock_mhz"] * dram["bytes_per_clock"] * dram["channels"] / 1000
    conflict = (dram["trp"] + dram["trcd"]) * core["clock_mhz"] / dram["clock_mhz"]
    rows = [
        ["fetch and decode", "1 warp wide, round robin", f"{core['schedulers']} scheduler, in every cycle"],
        ["instruction cache", "4 KB, single-ported", f"{preset['icache']['bytes'] // 1024} KB, {preset['icache']['ways']} ways"],
        ["back end", "in order, 5 stages, 32 lanes", f"{core['pipeline_stages']} stages with fetch and decode"],
        ["threads", "1024", f"{core['threads']}, {core['warps']} warps of 32"],
        ["registers", "16 per thread, 64 KB", f"up to {core['thread_registers']} per thread: no limit"],
        ["data cache", "32 KB, 4 ways, lines of 128 bytes, single cycle, a read and a write port",
         f"{l1['bytes'] // 1024} KB, {l1['ways']} ways; a line per cycle; written back" if l1["write_back"] else
         f"{l1['bytes'] // 1024} KB, {l1['ways']} ways; a line per cycle; written through"],
        ["private memory", "128 KB, 32 banks, 128 bytes per thread",
         "a bank for each lane, no limit" if core["local_private"] else "through the data cache"],
        ["DRAM",
         "open row, first come first served, 8 banks; row hit 100 cycles, conflict 300; \"…81 GB/s\", row buffer illegible",
         f"{dram['banks']} banks, the oldest {dram['reorder']} of the waiting may go, rows of {dram['row_bytes'] // 1024} KB, "
         f"{bandwidth:.0f} GB/s; a conflict takes {round(conflict, -1):.0f} cycles more than a hit"],
        ["clock", "not named", f"{core['clock_mhz'] / 1000:g} GHz"]]
    return Section("table1", "Table 1: the machine", [
        f"Preset {setups.GPU} has the source of each number beside it (sim/presets/{setups.GPU}.toml). The core is a "
        "strict barrel: a warp that is selected cannot be selected again before it has passed the whole pipeline."],
        [Table(["", "paper", "here"], rows, "Table 1 and ours")], main=True)
