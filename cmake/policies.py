# SPDX-License-Identifier: MIT
"""Reads the catalogue of policies, model/policies.toml, for policies.cmake: prints CMake's set() of every fact.

  policies.py PROJECT_FOLDER

What is no catalogue is an error that names the line.
"""
import pathlib
import re
import sys
import tomllib

LEVELS = {"single": "single_level", "two-level": "two_level"}
READS = ("lengths", "waits", "groups", "yields")
TEXT = r'[^"\\]+'
# Of a policy and of a parameter: the form of each key, and whether it must be there.
POLICY = {"scheduler": (r"(single|two-level):[a-z][a-z0-9-]*", True), "label": (TEXT, True), "rule": (TEXT, True),
          "reads": (rf"(({'|'.join(READS)})( ({'|'.join(READS)}))*)?", True), "rtl_code": (r"\d|1[0-5]", False),
          "rtl_module": (r"paws_[a-z0-9_]+", False)}
PARAMETER = {"name": (r"[a-z][a-z0-9_]*", True), "default": (r"\d+", True), "smallest": (r"\d+", True),
             "largest": (r"\d+", True), "meaning": (TEXT, True)}
NUMBERS = {"rtl_code", "default", "smallest", "largest"}


class Wrong(Exception):
    """What is wrong, and where: the number of the policy, of its parameter if it is in one, and the key."""

    def __init__(self, cause, policy, parameter=None, key=None):
        super().__init__(cause)
        self.place = (policy, parameter, key)


def line_of(text, place):
    """The line of a key, or that with which the policy or parameter begins."""
    policy, parameter, key = place
    counts, begins = [-1, -1], 1
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if words == "[[policy]]":
            counts = [counts[0] + 1, -1]
        elif words == "[[policy.parameter]]":
            counts[1] += 1
        if counts == [policy, -1 if parameter is None else parameter]:
            begins = number if words.startswith("[[") else begins
            if key and re.match(rf"{key} *=", words):
                return number
    return begins


def check_keys(entry, forms, place):
    for key, value in entry.items():
        if key not in forms:
            raise Wrong(f"there is no key '{key}', only {', '.join(forms)}", *place, key)
        number = isinstance(value, int) and not isinstance(value, bool)
        if number != (key in NUMBERS) or not re.fullmatch(forms[key][0], str(value)):
            raise Wrong(f"{key} is not {'a whole number' if key in NUMBERS else 'a text'} of the form {forms[key][0]}",
                        *place, key)
    for key, (_, needed) in forms.items():
        if needed and key not in entry:
            raise Wrong(f"{key} is missing", *place)


def check(policies, root):
    """Raises Wrong."""
    seen, codes = set(), set()
    for number, policy in enumerate(policies):
        parameters = policy.get("parameter", [])
        check_keys({key: value for key, value in policy.items() if key != "parameter"}, POLICY, (number, None))
        level, _, name = policy["scheduler"].partition(":")
        entry = f"{LEVELS[level]}/{name.replace('-', '_')}"
        scheduler, code, module = policy["scheduler"], policy.get("rtl_code"), policy.get("rtl_module")
        if entry in seen:
            raise Wrong(f"{scheduler} stands there twice", number, None, "scheduler")
        seen.add(entry)
        if not (root / "model" / f"{entry}.cpp").exists():
            raise Wrong(f"{scheduler} has no golden model: model/{entry}.cpp does not exist", number, None, "scheduler")
        if code is not None and (level, code) in codes:
            raise Wrong(f"{scheduler}: another policy of its level has rtl_code {code}", number, None, "rtl_code")
        codes.add((level, code))
        if module and code is not None:
            raise Wrong(f"{scheduler} has both rtl_code and rtl_module", number, None, "rtl_module")
        if module and not (root / "rtl" / f"{module}.sv").exists():
            raise Wrong(f"{scheduler}: rtl/{module}.sv does not exist", number, None, "rtl_module")
        if parameters and (module or code is not None):
            raise Wrong("a policy of the RTL has no parameters: the RTL could not take them", number, 0)
        for at, parameter in enumerate(parameters):
            check_keys(parameter, PARAMETER, (number, at))
            if parameter["name"] in [earlier["name"] for earlier in parameters[:at]]:
                raise Wrong(f"the policy has two parameters '{parameter['name']}'", number, at, "name")
            if not parameter["smallest"] <= parameter["default"] <= parameter["largest"]:
                raise Wrong("the default of the parameter is not from smallest to largest", number, at, "default")


def settings(policies):
    """What policies.cmake says it sets, by name."""
    values = {"paws_policies": []}
    for level in LEVELS.values():
        values |= {f"paws_rtl_{level}": [], f"paws_all_policies_{level}": 0}
    for policy in policies:
        level, _, spelled = policy["scheduler"].partition(":")
        level, name = LEVELS[level], spelled.replace("-", "_")
        entry, parameters, code = f"{level}/{name}", policy.get("parameter", []), policy.get("rtl_code")
        values["paws_policies"].append(entry)
        values |= {f"paws_spelled_{entry}": spelled, f"paws_code_{entry}": "" if code is None else code,
                   f"paws_module_{entry}": policy.get("rtl_module", ""), f"paws_rule_{entry}": policy["rule"],
                   f"paws_reads_{entry}": policy["reads"],
                   f"paws_parameters_{entry}": [each["name"] for each in parameters]}
        for each in parameters:
            values |= {f"paws_{key}_{entry}/{each['name']}": each[key] for key in PARAMETER if key != "name"}
        if code is not None:
            values[f"paws_rtl_{level}"].append(name)
            values[f"paws_all_policies_{level}"] |= 1 << code
    return values


def main():
    root = pathlib.Path(sys.argv[1])
    file = root / "model" / "policies.toml"
    text = file.read_text()
    try:
        policies = tomllib.loads(text).get("policy")
        if not isinstance(policies, list) or not all(isinstance(each, dict) for each in policies):
            raise Wrong("a catalogue is entries [[policy]]", 0)
        check(policies, root)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        print(f"{file}:{at[1] if at else 1}: {str(error)[:at.start()] if at else error}", file=sys.stderr)
        return 1
    except Wrong as wrong:
        print(f"{file}:{line_of(text, wrong.place)}: {wrong}", file=sys.stderr)
        return 1
    for name, value in settings(policies).items():
        words = ";".join(map(str, value)) if isinstance(value, list) else value
        print(f"set({name} [==[{words}]==])")
    return 0


if __name__ == "__main__":
    sys.exit(main())
