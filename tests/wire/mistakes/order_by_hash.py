"""Writes are listed as a set has them: right, and in another order in each process, for Python
hashes text with a number of the process."""

import sys

sys.dont_write_bytecode = True
import sample

core = sample.load()


def by_hash(writes):
    def mistaken(self):
        listed = {core.encode(write): write for write in writes(self)}
        return [listed[text] for text in set(listed)]

    return mistaken


sample.replace(core.Log, "writes", by_hash)
core.main()
