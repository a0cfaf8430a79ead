"""Sizes are counted in characters: right, as long as everybody writes English."""

import sys

sys.dont_write_bytecode = True
import sample

core = sample.load()
sample.replace(core, "byte_size", lambda _right: len)
core.main()
