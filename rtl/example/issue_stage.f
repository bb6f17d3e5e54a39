skid_buffer.sv
warp_scoreboard.sv
issue_stage.sv
