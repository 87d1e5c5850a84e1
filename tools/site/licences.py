"""The licences of what the site holds, as files beside it."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tools.site.downloads import PYODIDE

ROOT: Final = Path(__file__).parents[2]
NOTICE: Final = f"""Lampion is under the MIT licence (lampion.txt). Its fonts are under OFL-1.1: the
texts lie beside them in static/.

The folder pyodide/ holds Pyodide {PYODIDE}, unchanged but for names of files and
its list of packages. Pyodide is under MPL-2.0 (MPL-2.0.txt); its source is at
https://github.com/pyodide/pyodide, under the tag {PYODIDE}. It contains, each under its own
licence:

  CPython with its standard library   PSF-2.0 (typing_extensions-LICENSE.txt has its text)
  Emscripten's runtime                MIT OR NCSA
  musl                                MIT
  libffi                              MIT
  zlib                                Zlib
  bzip2                               bzip2-1.0.6
  liblzma (xz)                        0BSD
  Zstandard                           BSD-3-Clause
  SQLite                              blessing (public domain)
  libmpdec                            BSD-2-Clause
  Expat                               MIT
  HACL*                               MIT

https://docs.python.org/3.14/license.html has the texts of what Python incorporates.

program.zip holds Lampion and these Python packages, with their licences here:

"""


def write_licences(folder: Path, wheels: Iterable[Path]) -> None:
    """Write the licences into a folder, with a notice of what each is for."""
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder / "lampion.txt")
    shutil.copy(Path(__file__).parent / "LICENSE-MPL-2.0.txt", folder / "MPL-2.0.txt")
    packages = ""
    for wheel in wheels:
        name, version = wheel.name.split("-")[:2]
        packages += f"  {name} {version}\n"
        with zipfile.ZipFile(wheel) as packed:
            for each in packed.namelist():
                if ".dist-info/licenses/" in each:
                    kept = folder / f"{name}-{Path(each).stem}.txt"
                    kept.write_bytes(packed.read(each))
    (folder / "README.txt").write_text(NOTICE + packages, encoding="utf-8")
