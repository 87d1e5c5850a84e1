"""Play matches on faulty wires: `python -m tests.faults --help`."""

import sys

from tests.faults.runs import main

sys.exit(main(sys.argv[1:]))
