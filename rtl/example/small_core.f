small_core.sv
