# SPDX-License-Identifier: MIT
"""A Liberty file of five cells, in any units: the same cells have to give the same figures."""

SETTINGS = """
title = "five cells"
source = "this file"
name = "five"
gate_equivalent = "NAND"
driving_cell = "BUF"
driving_pin = "Y"
load_ff = 4
clock_transition_ns = 0.05
clock_uncertainty_ns = 0.04
gate_delay_ps = 50
dont_use = []
"""


def _table(kind: str, base: float, slope: float, time: float, load: float) -> str:
    """Delay or transition in ns, linear in transition and load."""
    slews, loads = (0.01, 0.1, 0.5), (1, 10, 100)  # ns, fF
    rows = ", ".join('"' + ", ".join(f"{(base + 0.1 * slew + slope * ff) / time:.6g}" for ff in loads) + '"'
                     for slew in slews)
    return (f"{kind} (loads) {{ index_1 (\"{', '.join(f'{slew / time:.6g}' for slew in slews)}\"); "
            f"index_2 (\"{', '.join(f'{ff / 1000 / load:.6g}' for ff in loads)}\"); values ({rows}); }}\n")


def _arc(pin: str, how: str, base: float, time: float, load: float) -> str:
    tables = "".join(_table(kind, base, 0.002, time, load)
                     for kind in ("cell_rise", "cell_fall", "rise_transition", "fall_transition"))
    return f'timing () {{ related_pin : "{pin}"; {how}\n{tables}}}\n'


def _gate(name: str, area: float, pins: str, function: str, sense: str, time: float, load: float) -> str:
    inputs = "".join(f"pin ({pin}) {{ direction : input; capacitance : {0.002 / load:.6g}; }}\n" for pin in pins)
    arcs = "".join(_arc(pin, f"timing_sense : {sense};", 0.02, time, load) for pin in pins)
    return (f'cell ({name}) {{ area : {area}; cell_leakage_power : 1;\n{inputs}pin (Y) {{ direction : output; '
            f'function : "{function}"; max_capacitance : {0.1 / load:.6g};\n{arcs}}} }}\n')


def _flipflop(time: float, load: float) -> str:
    """With the inverted output alone, as some libraries have them."""
    limits = "".join(
        f'timing () {{ related_pin : "C"; timing_type : {kind}_rising; '
        f'rise_constraint (scalar) {{ values ("{ns / time:.6g}"); }} '
        f'fall_constraint (scalar) {{ values ("{ns / time:.6g}"); }} }}\n'
        for kind, ns in (("setup", 0.03), ("hold", 0.01)))
    pin = f"capacitance : {0.002 / load:.6g};"
    return (f'cell (FLIP) {{ area : 10; cell_leakage_power : 1; ff (IQ, IQN) {{ clocked_on : "C"; next_state : "!D"; }}\n'
            f"pin (C) {{ direction : input; clock : true; {pin} }}\npin (D) {{ direction : input; {pin}\n{limits}}}\n"
            f'pin (QN) {{ direction : output; function : "IQ"; max_capacitance : {0.1 / load:.6g};\n'
            f'{_arc("C", "timing_type : rising_edge;", 0.06, time, load)}}} }}\n')


def text(time_unit: str = "1ns", load_unit: str = "1,pf") -> str:
    """The library, with its values in these units."""
    time = {"1ns": 1.0, "1ps": 1e-3, "10ps": 1e-2}[time_unit]
    load = {"1,pf": 1.0, "1,ff": 1e-3, "0.1,pf": 0.1}[load_unit]
    cells = "".join(_gate(*gate, time, load) for gate in (
        ("NAND", 2, "AB", "!(A B)", "negative_unate"), ("NOR", 2.5, "AB", "!(A+B)", "negative_unate"),
        ("INV", 1, "A", "!A", "negative_unate"), ("BUF", 3, "A", "A", "positive_unate")))
    return f'''library (five) {{
  delay_model : table_lookup; time_unit : "{time_unit}"; capacitive_load_unit ({load_unit});
  voltage_unit : "1V"; current_unit : "1mA"; leakage_power_unit : "1nW"; pulling_resistance_unit : "1kohm";
  nom_voltage : 1.0; nom_temperature : 25; nom_process : 1;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : 50;
  output_threshold_pct_fall : 50; slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;
  slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;
  lu_table_template (loads) {{ variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("1, 2, 3"); index_2 ("1, 2, 3"); }}
{cells}{_flipflop(time, load)}}}
'''
