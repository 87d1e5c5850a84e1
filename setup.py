"""Compiles the translations when the program is built; pyproject.toml has all else."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))

from tools import po


class Build(build_py):
    """Building the modules, with compiled catalogues among them."""

    def run(self) -> None:
        """Compile the catalogues, then build."""
        po.compile_all()
        super().run()


setup(cmdclass={"build_py": Build})
