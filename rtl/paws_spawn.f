paws_spawn.sv
