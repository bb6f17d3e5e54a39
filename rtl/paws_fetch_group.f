paws_pkg.sv
paws_host_checks.sv
paws_rotate_pick.sv
paws_fetch_group.sv
