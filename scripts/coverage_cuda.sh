#!/usr/bin/env bash
# coverage_cuda.sh: line coverage of src/cuda and kernels by the tests on the emulated GPU, in a build of
# its own (build-coverage); status 1 below 90 %. Processes that are killed or end themselves at once leave no counts.
set -euo pipefail
. "$(dirname "$0")/common.sh"

build=$root/build-coverage
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DPEAKLINE_CUDA=ON -DPEAKLINE_MICRO=OFF \
  -DCMAKE_CXX_FLAGS=--coverage >/dev/null
quietly cmake --build "$build" --target cuda_test cuda_run_test nccl_world_tests
find "$build" -name '*.gcda' -delete
(cd "$build" && ctest -R "^(cuda|nccl)_" --output-on-failure >"$build/coverage-tests.txt") ||
  { tail -30 "$build/coverage-tests.txt"; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
find "$build" -name '*.gcda' \( -path '*peakline_cuda*' -o -path '*emulated_kernels*' \) -exec \
  gcov --json-format --hash-filenames --preserve-paths {} \; >/dev/null 2>&1
python3 - "$root" <<'PY'
import collections, glob, gzip, json, os, sys
root = sys.argv[1]
counts = collections.defaultdict(lambda: collections.defaultdict(int))
for report in glob.glob("*.gcov.json.gz"):
    data = json.load(gzip.open(report))
    for file in data["files"]:
        path = os.path.join(data["current_working_directory"], file["file"])
        path = os.path.relpath(os.path.realpath(path), root)
        if not path.startswith(("src/cuda/", "kernels/")):
            continue
        for line in file["lines"]:
            counts[path][line["line_number"]] += line["count"]
total = hit = 0
for path in sorted(counts):
    lines = counts[path]
    covered = sum(1 for count in lines.values() if count)
    total += len(lines)
    hit += covered
    missed = [str(number) for number, count in sorted(lines.items()) if not count]
    print(f"{path:<36} {covered:4} of {len(lines):4} lines" +
          (f"   not: {' '.join(missed)}" if missed else ""))
if not total:
    sys.exit("no counts were found")
print(f"src/cuda and kernels: {100 * hit / total:.1f} % of {total} lines")
if hit < 0.9 * total:
    sys.exit("fewer than 90 % of the lines are reached")
PY
