../../rtl/paws_pkg.sv
../../rtl/paws_host_checks.sv
../../rtl/paws_rotate_pick.sv
../../rtl/paws_fetch_group.sv
../../rtl/paws_lowest.sv
../../rtl/paws_packer_host_checks.sv
../../rtl/paws_subwarp_packer.sv
paws_large_warp_front.sv
