#!/usr/bin/env python3
"""Says which programs, files of /usr and Python packages a target of the Makefile comes to that its set-up does not install.

    scripts/lint-programs.py [DIR]      DIR: the tree, this one by default
    scripts/lint-programs.py given      the programs that are taken for granted, a line each: what a bare Debian has

A target's set-up is what `scripts/setup.sh WORD` needs for each WORD that it is called with, by the target or by what that
comes to. What a target comes to is followed by name: from its recipe to scripts, to what they call (shell by shfmt's syntax
tree, Python by its own), to the tests that `pytest` and `swift test` run. A program that is asked for first,
`if command -v nginx; then nginx ...`, may be missing.
"""

import ast
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

# What `debootstrap --variant=minbase --include=git,make,ca-certificates` brings; scripts/prove-clean.sh looks whether it does.
GIVEN = set("""
    apt-config apt-get awk base64 basename bash cat chgrp chmod chown chroot cmp comm cp cut date dd df diff dirname dpkg dpkg-deb
    dpkg-query du egrep env expand expr false fgrep find flock fold getent getopt git grep groups gunzip gzip head hostname id
    install join ldd link ln locale ls lsblk make md5sum mkdir mkfifo mknod mktemp more mount mountpoint mv nice nl nohup nproc
    nsenter numfmt od openssl paste perl pr printf pwd readlink realpath rm rmdir sed seq setpriv setsid sh sha1sum sha256sum
    shuf sleep sort split stat stdbuf stty sync tac tail taskset tar tee test timeout touch tr true truncate tty umount uname
    unexpand uniq unlink unshare wc whoami xargs yes zcat zgrep
    """.split())
TOOLCHAIN = {"swift", "swiftc", "clang", "clang++", "docc", "lld", "wasm-ld"}
STANDARD = set(sys.stdlib_module_names)
# What is measured beside the hub where somebody installed it, and what is in the folder that `make conformance` is told.
OPTIONAL = {"/usr/sbin/nginx", "/usr/lib/postgresql", "mosq_test"}
# What setup.sh calls for one of its words alone, or without which it says what to do.
OF_SETUP = {"sudo", "python3", ".venv/bin/pip"}
# Programs that run another, and how many of their own words stand before it; and their options whose value is a word.
WRAPPERS = {
    "chroot": 1, "command": 0, "env": 0, "exec": 0, "flock": 1, "nice": 0, "nohup": 0, "nsenter": 0, "setpriv": 0, "setsid": 0,
    "sudo": 0, "taskset": 1, "time": 0, "timeout": 1, "unshare": 0, "xargs": 0,
}  # fmt: skip
VALUED = {"--propagation"}
SCRIPT = re.compile(r"[\w./@-]*[\w-]+\.(?:sh|py|mjs|jq)\b")
PROGRAM = re.compile(r"(?:/usr/(?:local/)?s?bin/|/s?bin/)?([a-z][\w+.-]*)")
# Python packages whose module has another name.
MODULES = {"adafruit_pioasm": "adafruit-circuitpython-pioasm", "adafruit_uf2": "adafruit-uf2", "dateutil": "python-dateutil", "fhir": "fhir.resources", "yaml": "PyYAML", "paho": "paho-mqtt", "websocket": "websocket-client"}


@functools.cache
def builtins():
    names = subprocess.run(["bash", "-c", "compgen -b; compgen -k"], capture_output=True, text=True, check=True).stdout
    return set(names.split())


class Tree:
    """A checkout: its Makefile, its scripts, and what they come to."""

    def __init__(self, root):
        self.root = root
        # Those in a folder that is no package, which another may name to Python.
        found = [path for path in root.glob("*/**/*.py") if not (path.parent / "__init__.py").exists()]
        self.python = {path.stem: path for path in found}

    @functools.cache
    def provided(self, word):
        """What a word of setup.sh needs: {what is looked for: package}."""
        listed = subprocess.run(
            ["bash", self.root / "scripts/setup.sh", "list", word], capture_output=True, text=True, check=True).stdout
        lines = [line.split() for line in listed.splitlines()]
        return {way: package for package, *probes in lines for probe in probes for way in probe.split("|")}

    @functools.cache
    def known(self):
        words = re.findall(r"^    ([a-z]+)\)", (self.root / "scripts/setup.sh").read_text(), re.M)
        return {way.rsplit("/", 1)[-1] for word in words for way in self.provided(word)} - {"*"}

    def file(self, name, beside):
        """A file of the tree by what a script calls it, `scripts/web.sh` or `$scripts/web.sh`."""
        short = name.lstrip("./")
        places = [self.root / short, beside / short, self.root / "scripts" / short]
        return next((path.resolve() for path in places if path.is_file()), None)

    def targets(self):
        """The recipes of the Makefile, as shell, and .ci/run as one more: {name: (file, shell, line)}."""
        found, name = {}, None
        for number, line in enumerate((self.root / "Makefile").read_text().splitlines(), 1):
            if rule := re.match(r"([a-z][\w-]*):(?!=)", line):
                name = rule[1]
                found[name] = ("Makefile", "\n" * number, 1)
            elif line.startswith("\t") and name:
                shell = re.sub(r"\$\((\w+)\)", r"$\1", line.strip().lstrip("@-")).replace("$$", "$")
                file, before, _ = found[name]
                found[name] = (file, before + "\n" * (number - before.count("\n") - 1) + shell + "\n", 1)
        recipes = {f"make {name}": recipe for name, recipe in found.items()}
        if (self.root / ".ci/run").exists():
            recipes[".ci/run"] = (".ci/run", (self.root / ".ci/run").read_text(), 1)
        return recipes


class Uses:
    """What a text comes to: programs, files of /usr and Python packages with their lines, scripts, and words of setup.sh."""

    def __init__(self):
        self.programs, self.files, self.modules, self.scripts, self.words = [], [], [], [], set()


def literal(word):
    """A shell word's text, None where it has an expansion in it."""
    text = ""
    for part in word["Parts"]:
        if part["Type"] in ("Lit", "SglQuoted"):
            text += part.get("Value", "")
        elif part["Type"] == "DblQuoted" and all(one["Type"] == "Lit" for one in part.get("Parts", [])):
            text += "".join(one["Value"] for one in part.get("Parts", []))
        else:
            return None
    return text


def expansion(word):
    """The name of a variable that is a word by itself, with whether it is a whole array, `"${place[@]}"`."""
    parts = word["Parts"]
    if len(parts) == 1 and parts[0]["Type"] == "DblQuoted":
        parts = parts[0].get("Parts", [])
    if len(parts) != 1 or parts[0]["Type"] != "ParamExp":
        return None, False
    return parts[0]["Param"]["Value"], "Index" in parts[0]


class Shell:
    """What a shell script comes to."""

    def __init__(self, tree, text, beside, uses, first_line=1, outer=None):
        self.tree, self.beside, self.uses, self.first_line = tree, beside, uses, first_line
        parsed = subprocess.run(["shfmt", "--to-json", "-ln", "bash"], input=text, capture_output=True, text=True)
        if parsed.returncode:
            raise SystemExit(f"lint-programs: {parsed.stderr.strip()}")
        self.syntax = json.loads(parsed.stdout)
        self.functions, self.arrays, self.texts = (set(outer.functions), {}, dict(outer.texts)) if outer else (set(), {}, {})
        self.collect(self.syntax)
        self.walk(self.syntax, frozenset())

    def collect(self, node):
        if isinstance(node, list):
            for one in node:
                self.collect(one)
        elif isinstance(node, dict):
            if node.get("Type") == "FuncDecl":
                self.functions.add(node["Name"]["Value"])
            if node.get("Type") == "CallExpr" and [literal(word) for word in node.get("Args", [])[:1]] in (["."], ["source"]):
                self.functions |= self.functions_of(node["Args"][1])
            if "Name" in node and isinstance(node.get("Array"), dict):
                self.arrays[node["Name"]["Value"]] = [one["Value"] for one in node["Array"].get("Elems", []) if "Value" in one]
            if "Name" in node and isinstance(node.get("Value"), dict) and "Parts" in node["Value"]:
                self.texts[node["Name"]["Value"]] = literal(node["Value"])
            for one in node.values():
                self.collect(one)

    def functions_of(self, word):
        """Those of a script that is read in, `. "$scripts/steps.sh"`."""
        path = self.script(word)
        return set(re.findall(r"^(\w+)\(\)", path.read_text(), re.M)) if path else set()

    def script(self, word):
        """A script of the tree that a word names: `$scripts/web.sh` is named by its end."""
        parts = [one for part in word["Parts"] for one in part.get("Parts", []) or [part]]
        last = parts[-1].get("Value") if parts else None
        return self.tree.file(last, self.beside) if isinstance(last, str) and SCRIPT.fullmatch(last) else None

    def walk(self, node, asked):
        if isinstance(node, list):
            for one in node:
                self.walk(one, asked)
        elif isinstance(node, dict):
            if node.get("Type") == "IfClause":
                self.walk(node.get("Cond"), asked)
                self.walk(node.get("Then"), asked | self.asked_for(node.get("Cond")))
                self.walk(node.get("Else"), asked)
                return
            if node.get("Type") == "CallExpr" and node.get("Args"):
                self.call(node["Args"], asked)
            if "Parts" in node:
                self.look_for_files(node)
            for one in node.values():
                self.walk(one, asked)

    def asked_for(self, condition):
        """The programs that a condition wants to be there."""
        found = set()
        for statement in condition or []:
            words = [literal(word) for word in statement.get("Cmd", {}).get("Args", [])]
            if not statement.get("Negated") and words[:2] == ["command", "-v"]:
                found |= set(filter(None, words[2:]))
        return found

    def line(self, word):
        return self.first_line + word["Pos"]["Line"] - 1

    def look_for_files(self, word):
        text = literal(word)
        if text is not None and re.fullmatch(r"/usr/(?!s?bin/|local/)[\w./*+-]+", text):
            self.uses.files.append((text, self.line(word)))
        if path := self.script(word):
            self.uses.scripts.append(path)

    def call(self, words, asked):
        if not words:
            return
        name = literal(words[0])
        if name is None:
            variable, is_array = expansion(words[0])
            if variable in self.arrays:
                self.call(self.arrays[variable] + words[1:], asked)
            elif len(words) > 1 and (is_array or literal(words[1]) in self.tree.known()):
                self.call(words[1:], asked)
            return
        if name in ("trap", "eval") and len(words) > 1:
            self.inner(words[1])
        elif name in self.functions:
            # Its words may be a command: `quietly curl ...`; those of `need` are names of what is to be there.
            for at, word in enumerate(words[1:], 1):
                if name != "need" and literal(word) in self.tree.known():
                    self.call(words[at:], asked)
                    return
        elif name not in builtins() | {""} or name in ("command", "exec"):
            self.program(name, words, asked)

    def program(self, name, words, asked):
        plain = PROGRAM.fullmatch(name)
        short = plain[1] if plain else name
        rest = [literal(word) for word in words[1:]]
        if name.endswith("setup.sh"):
            self.uses.words.update(word for word in rest[:1] if word and word != "list")
        elif short == "swift" and "test" in rest[:1]:
            for path in [*self.tree.root.glob("Tests/**/*.swift"), *self.tree.root.glob("Companions/*/Tests/**/*.swift")]:
                self.uses.scripts.append(path)
        if name.endswith("python") and rest[:2] == ["-m", "pytest"]:
            for word in filter(None, rest[2:]):
                if (self.tree.root / word).is_dir():
                    self.uses.scripts += [*(self.tree.root / word).glob("test_*.py"), self.tree.root / word / "conftest.py"]
        if short in ("bash", "sh") and "-c" in rest:
            self.inner(words[rest.index("-c") + 2])
        if plain or name.startswith(".venv/bin/"):
            if short not in asked and not (short == "command" or short == "exec"):
                self.uses.programs.append((name if name.startswith(".venv") else short, self.line(words[0])))
        if short in WRAPPERS and not (short == "command" and rest[:1] in (["-v"], ["-V"])):
            self.call(self.wrapped(words[1:], WRAPPERS[short]), asked)

    def wrapped(self, words, own):
        """The words of the command that another runs, without that one's options and operands."""
        for at, word in enumerate(words):
            text = literal(word)
            if text is None:
                if own:
                    own -= 1
                elif expansion(word)[0]:
                    return words[at:]
            elif text.startswith("-") or re.match(r"\d+$|\w+=|[{}]+$", text):
                if own and text.isdigit():
                    own -= 1
            elif own:
                own -= 1
            elif literal(words[at - 1]) not in VALUED or not at:
                return words[at:]
        return []

    def inner(self, word):
        """A command in a string: what `sh -c`, `trap` and `eval` are given."""
        text = literal(word) or self.texts.get(expansion(word)[0])
        if text:
            Shell(self.tree, text, self.beside, self.uses, self.line(word), self)


DEBIANS = "/usr/lib/python3/dist-packages/"


def python_uses(tree, path, uses):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in {name.split(".")[0] for name in names} - STANDARD:
            # A package of ours, a module beside it, or in another folder.
            package = next((folder / name for folder in path.parents if (folder / name / "__init__.py").exists()), None)
            ours = package.glob("*.py") if package else [path.parent / f"{name}.py", tree.python.get(name)]
            ours = [one for one in ours if one and one.exists()]
            uses.scripts += ours if package else ours[:1]
            if not ours:
                uses.modules.append((name, node.lineno))
        if isinstance(node, ast.List) and node.elts and isinstance(node.elts[0], ast.Constant):
            words = [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if words[:1] and words[0] in tree.known() | GIVEN:
                uses.programs += [(word, node.lineno) for word in words if word in tree.known()]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "subprocess":
            command = node.args[0] if node.args else None
            first = command.elts[0] if isinstance(command, ast.List) and command.elts else None
            if isinstance(first, ast.Constant) and PROGRAM.fullmatch(str(first.value)):
                uses.programs.append((PROGRAM.fullmatch(first.value)[1], node.lineno))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text_uses(tree, path, node.value, node.lineno, uses)


def text_uses(tree, path, text, line, uses):
    """A string of Python, JavaScript or Swift."""
    if re.fullmatch(r"/usr/(?!local/)[\w./*+-]*\w", text) and text != "/usr/bin/env":
        uses.files.append((text, line))
    if SCRIPT.fullmatch(text) and (script := tree.file(text, path.parent)):
        uses.scripts.append(script)


def source_uses(tree, path, uses):
    """A file of JavaScript or Swift, by its strings."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for text in re.findall(r'["\']([^"\'\\]*)["\']', line):
            text_uses(tree, path, text, number, uses)
        if path.suffix == ".mjs" and (module := re.match(r'import .* from ["\'](?!node:|[./])([^"\']+)', line)):
            uses.modules.append((module[1], number))


def uses_of(tree, path):
    uses = Uses()
    text = path.read_text()
    first = text.split("\n", 1)[0]
    if path.suffix == ".py":
        python_uses(tree, path, uses)
        if first == "#!/usr/bin/env python3":
            uses.programs.append(("python3", 1))
    elif path.suffix in (".mjs", ".swift"):
        source_uses(tree, path, uses)
        if first == "#!/usr/bin/env node":
            uses.programs.append(("node", 1))
    elif path.suffix != ".jq":
        Shell(tree, text, path.parent, uses)
    if path.name == "setup.sh":
        uses.programs = [one for one in uses.programs if one[0] not in OF_SETUP]
        uses.files = []  # it looks whether they are there
    return uses


def missing(tree, target, recipes, read):
    """The lines of what a target comes to and does not install."""
    file, shell, first_line = recipes[target]
    own = Uses()
    Shell(tree, shell, tree.root, own, first_line)
    seen, waiting = {tree.root / file: own}, list(own.scripts)
    words = set(own.words)
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen[path] = read(path)
        waiting += seen[path].scripts
        words |= seen[path].words
    have = {}
    for word in words:
        have |= tree.provided(word)
    programs = GIVEN | TOOLCHAIN | {way.rsplit("/", 1)[-1] for way in have if "*" not in way}
    has_venv = ".venv/bin/python" in have
    packages = requirements(tree) if has_venv else set()
    # Of Debian's own Python, which some scripts are for.
    packages |= {way.removeprefix(DEBIANS).split("/")[0] for way in have if way.startswith(DEBIANS)}
    for path, uses in seen.items():
        place = path.relative_to(tree.root)
        for program, line in uses.programs:
            if program not in programs and not (has_venv and program.startswith(".venv/bin/")):
                yield f"{place}:{line}: calls {program}"
        for name, line in uses.files:
            if name not in OPTIONAL and not any(
                fnmatch.fnmatch(name, way) or way.startswith(f"{name}/") or name.rsplit("/", 1)[-1] == way for way in have
            ) and name.removeprefix("/usr/bin/") not in GIVEN:  # fmt: skip
                yield f"{place}:{line}: reads {name}"
        for module, line in uses.modules:
            name = MODULES.get(module, module).lower().replace("_", "-")
            if name not in packages and module not in OPTIONAL:
                yield f"{place}:{line}: imports {module}"


def requirements(tree):
    file = tree.root / "Tests/EndToEnd/requirements.txt"
    names = re.findall(r"^([\w.-]+)==", file.read_text(), re.M) if file.exists() else []
    return {name.lower().replace("_", "-") for name in names}


def main(argument=None):
    if argument == "given":
        print(*sorted(GIVEN), sep="\n")
        return 0
    tree = Tree(pathlib.Path(argument or pathlib.Path(__file__).parents[1]).resolve())
    recipes = tree.targets()
    read = functools.cache(lambda path: uses_of(tree, path))
    found = {}
    for target in recipes:
        for line in missing(tree, target, recipes, read):
            found.setdefault(line, []).append(target)
    for line, targets in sorted(found.items()):
        print(f"{line}, and no set-up of `{'`, `'.join(sorted(set(targets)))}` installs it: name it in scripts/setup.sh")
    return 1 if found else 0


sys.exit(main(*sys.argv[1:2]))
