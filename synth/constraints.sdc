# SPDX-License-Identifier: MIT
# Timing constraints of one scheduler (paws_two_level or paws_single_level) for other tools. The clock period
# is in ns. The host has a quarter of the period in front of every input and a quarter behind every output, as
# in docs/reference/synthesis.md. To change the period, set PAWS_PERIOD before reading this file.
if {![info exists PAWS_PERIOD]} { set PAWS_PERIOD 6.0 }
set input_share 0.25
set output_share 0.25

create_clock -name clock -period $PAWS_PERIOD [get_ports clk_i]
set_clock_uncertainty 0.1 [get_clocks clock]
set_clock_transition 0.1 [get_clocks clock]

set inputs {}
foreach port [all_inputs] {
  if {[get_property $port full_name] ne "clk_i"} { lappend inputs $port }
}
set_input_delay [expr {$input_share * $PAWS_PERIOD}] -clock clock $inputs
set_output_delay [expr {$output_share * $PAWS_PERIOD}] -clock clock [all_outputs]

# Reset is synchronous and lasts longer than a cycle; the policy does not change outside it.
set_false_path -from [get_ports rst_ni]
if {[llength [get_ports -quiet policy_i*]]} { set_false_path -from [get_ports policy_i*] }

# Drive and load belong to the library: OSU 0.18 um here (load in pF), others in synth/libraries.
set_driving_cell -lib_cell BUFX4 -pin Y $inputs
set_load 0.02 [all_outputs]
