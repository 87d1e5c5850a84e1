"""What is soldered to what: netlist, drawings and parts."""
