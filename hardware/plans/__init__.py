"""What a builder needs beside the circuit: parts to order, templates to cut by, things to print."""
