"""The sample core in Python, to be changed in one place and run.

A change names what it replaces; it ends the process when that is not there any more, so that no
mistake is ever tested that was not made.
"""

import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True
PATH = pathlib.Path(__file__).parents[2] / "cores" / "python" / "core.py"


def load():
    spec = importlib.util.spec_from_file_location("core", PATH)
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    return core


def replace(owner, name, make):
    """Puts make(what was there) in the place of owner.name."""
    if not hasattr(owner, name):
        sys.exit(f"{PATH.name} has no {getattr(owner, '__name__', owner)}.{name} to be mistaken in")
    setattr(owner, name, make(getattr(owner, name)))
