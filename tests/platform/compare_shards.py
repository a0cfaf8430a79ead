"""Do the shards of a run, put together by `rollover merge`, make the whole? Field by field.

    compare_shards.py ROLLOVER WHOLE.json SHARD.json...      exit 0: the same, times and places aside
"""
import json
import subprocess
import sys


def fields(text):
    """All that a run found; not how long it took, nor where it saved its failures."""
    summary = json.loads(text)
    del summary["seconds"]
    for failure in summary["failures"]:
        del failure["scenario"]
    return summary


def main():
    rollover, whole_path, *shards = sys.argv[1:]
    merge = subprocess.run([rollover, "merge", *shards], capture_output=True, text=True)
    if merge.returncode not in (0, 1):
        sys.exit(merge.stderr)
    merged, whole = fields(merge.stdout), fields(open(whole_path).read())
    differences = [f"{name}: {merged.get(name)} in the shards, {whole.get(name)} in the whole"
                   for name in sorted(merged | whole) if merged.get(name) != whole.get(name)]
    if differences:
        sys.exit("\n".join(differences))
    print(f"{len(shards)} shards equal the whole: {whole['seeds']} seeds, {whole['turns']} turns, "
          f"trace_hash {whole['trace_hash']}")


if __name__ == "__main__":
    main()
