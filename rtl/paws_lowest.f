paws_lowest.sv
