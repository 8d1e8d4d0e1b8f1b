"""How large the release executable is, stripped, and of what: sections by `readelf`, and modules by the names that `nm` lists
with their sizes.

    .venv/bin/python Benchmarks/executable_size.py [EXECUTABLE] [--modules 30]

The module of a Swift name is what it begins with; C libraries are told by their prefixes. What has no name, such as
strings, unwinding tables and metadata without a size, is in the sections alone.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import tempfile

from results import ROOT, Results

EXECUTABLE = os.environ.get("TANDEM_BINARY", ROOT / ".build/release/tandem")
# Which C and C++ names are whose, in this order.
PREFIXES = [
    ("CNIOBoringSSL", "BoringSSL of swift-nio-ssl"), ("CCryptoBoringSSL", "BoringSSL of swift-crypto"),
    ("sqlite3", "SQLite"), ("xml", "libxml2"), ("curl", "libcurl"), ("Curl_", "libcurl"), ("llvm", "LLVM"), ("QR", "libqrencode"),
    ("c_nio_", "HTTP parser of swift-nio"), ("nghttp2", "nghttp2"), ("swift_", "Swift runtime"), ("_swift", "Swift runtime"),
    ("dispatch", "Dispatch"), ("_dispatch", "Dispatch"), ("CF", "CoreFoundation"), ("_CF", "CoreFoundation"), ("__CF", "CoreFoundation"),
    ("icudt", "ICU data"), ("u_", "ICU"), ("uc", "ICU"), ("ul", "ICU"), ("un", "ICU"), ("ur", "ICU"), ("us", "ICU"), ("ut", "ICU"),
]  # fmt: skip


def module_of(name):
    """What a symbol belongs to."""
    mangled = re.match(r"\$s(\d+)", name)
    if mangled:
        return name[mangled.end() : mangled.end() + int(mangled[1])]
    if re.match(r"\$sS[^o]|\$ss", name):
        return "Swift"
    if name.startswith(("$sSo", "$sSC")):
        return "imported from C"
    if name.startswith("_Z"):
        return "ICU" if "icu" in name else "Swift runtime" if "swift" in name else "C++"
    return next((module for prefix, module in PREFIXES if name.startswith(prefix)), "other C")


def sections(file):
    """Bytes of each section that is loaded or read, the largest first."""
    found = collections.Counter()
    for line in subprocess.run(["readelf", "-SW", file], capture_output=True, text=True, check=True).stdout.splitlines():
        one = re.match(r"\s*\[\s*\d+\] (\S+)\s+(\S+)\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)", line)
        if one and one[2] != "NOBITS":
            found[one[1]] += int(one[3], 16)
    return found


def modules(file):
    """Bytes of the names of each module."""
    found = collections.Counter()
    said = subprocess.run(["nm", "--size-sort", "-S", "--defined-only", file], capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        _, size, kind, name = line.split(" ", 3)
        if kind not in "bB":
            found[module_of(name)] += int(size, 16)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("executable", nargs="?", type=pathlib.Path, default=pathlib.Path(EXECUTABLE))
    parser.add_argument("--modules", type=int, default=30, help="how many are listed")
    asked = parser.parse_args()
    results = Results("executable_size")
    if not asked.executable.exists():
        return results.missing(f"{asked.executable.name} is not built (make build)", "executable.size")
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "stripped"
        subprocess.run(["strip", "--strip-unneeded", "-o", stripped, asked.executable], check=True)
        size, parts, names = stripped.stat().st_size, sections(stripped), modules(asked.executable)
    print(f"{asked.executable}: {asked.executable.stat().st_size:,} bytes, stripped {size:,}")
    for name, count in parts.most_common(14):
        print(f"  {count:>11,}  section {name}")
    print(f"  {sum(names.values()):>11,}  of it under a name:")
    for name, count in names.most_common(asked.modules):
        print(f"  {count:>11,}  {name}")
    large = ", ".join(f"{name} {count / 1e6:.0f}" for name, count in parts.most_common(4))
    results.record("executable.size", size / 1e6, "MB", note=f"{large}; {asked.executable.stat().st_size / 1e6:.0f} with its names")


if __name__ == "__main__":
    main()
