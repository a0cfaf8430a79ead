"""Do the shards of a run add up to the whole? Fields by fields, time aside.

    compare_shards.py WHOLE.json SHARD.json...      exit 0: nothing lost, nothing counted twice
"""
import json
import sys

COUNTS = ["seeds", "turns", "commits", "attempts", "reads", "failures_total"]
TABLES = ["faults", "situations", "rules"]


def main():
    whole, *shards = [json.load(open(path)) for path in sys.argv[1:]]
    wanted = {f"{i}/{len(shards)}" for i in range(1, len(shards) + 1)}
    if {shard["shard"] for shard in shards} != wanted:
        sys.exit(f"shards {sorted(shard['shard'] for shard in shards)}, not {sorted(wanted)}")
    differences = []

    def compare(field, parts, expected):
        if parts != expected:
            differences.append(f"{field}: {parts} in the shards, {expected} in the whole")

    for field in COUNTS:
        compare(field, sum(shard[field] for shard in shards), whole[field])
    for table in TABLES:
        for name, expected in whole[table].items():
            compare(f"{table}.{name}", sum(shard[table][name] for shard in shards), expected)
    total = sum(int(shard["trace_hash"], 16) for shard in shards) % 2**128
    compare("trace_hash", f"{total:032x}", whole["trace_hash"])
    if differences:
        sys.exit("\n".join(differences))
    print(f"{len(shards)} shards equal the whole: {whole['seeds']} seeds, {whole['turns']} turns, "
          f"trace_hash {whole['trace_hash']}")


if __name__ == "__main__":
    main()
