#!/bin/bash
# Builds every fuzz target as OSS-Fuzz and ClusterFuzzLite ask for it: with the compiler, the flags
# and the engine that they set; into $OUT go NAME, NAME_seed_corpus.zip, NAME.dict, NAME.options.
#
# What runs the targets has none of our libraries, so fmt comes from its headers and Boost.Context as
# an archive. Older libc++ holds std::jthread back unless it is asked. Warnings are judged by CI with compilers that we know, not here.
set -eu
: "${SRC:?}" "${OUT:?}" "${CXX:?}" "${LIB_FUZZING_ENGINE:?}"
source=$SRC/rollover
tree=${WORK:-$SRC}/rollover-build

export CXXFLAGS="${CXXFLAGS-} -w -DFMT_HEADER_ONLY -D_LIBCPP_ENABLE_EXPERIMENTAL"
cmake -S "$source" -B "$tree" -G Ninja --fresh -DBUILD_TESTING=OFF -DBoost_USE_STATIC_LIBS=ON \
  -DROLLOVER_FUZZ=ON -DROLLOVER_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--as-needed
cmake --build "$tree" --target fuzzers

for file in "$source"/fuzz/fuzz_*.cc; do
  name=$(basename "$file" .cc)
  case $name in
    fuzz_codec | fuzz_scenario_file | fuzz_transcript) dictionary=json ;;
    *) dictionary=records ;;
  esac
  cp "$tree/fuzz/$name" "$OUT/$name"
  cp "$source/fuzz/$dictionary.dict" "$OUT/$name.dict"
  rm -f "$OUT/${name}_seed_corpus.zip"
  (cd "$source/corpus/fuzz/$name" && zip -qrX "$OUT/${name}_seed_corpus.zip" .)
  printf '[libfuzzer]\ndict = %s.dict\nmax_len = 4096\ntimeout = 30\nrss_limit_mb = 4096\n' \
    "$name" >"$OUT/$name.options"
done
