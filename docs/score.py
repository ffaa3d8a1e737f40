#!/usr/bin/env python3
"""Scores of forecasts, computed again from an export alone (docs/conventions.md), with nothing but Python's own library.

    python3 score.py <export>                    every account and every challenge that asks for a forecast
    python3 score.py <export> <username>         one account

<export> is an archive by `svc-admin export` or `svc-admin export --public`, or a folder with what is in it: of that,
records/<username>/<n>.json and challenges/<n>.json are read. Content and times are taken from the canonical strings, which
must make the hashes. Whether the records are complete and on the chain is for `svc audit` to say.
"""
import hashlib
import json
import math
import os
import re
import sys
import tarfile
import unicodedata
from datetime import datetime, timedelta
from fractions import Fraction

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
IGNORABLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
STATES = ("scored", "late", "malformed", "void", "unresolved", "pending", "sealed", "retracted", "taken_down")
LEVELS = (10, 50, 90)
Z = 1.959963984540054


class Text(Exception):
    """The words follow no convention."""


# -- what is read ------------------------------------------------------------------------------------------------------


def load(path):
    """Every etch and every challenge of an export."""
    etches, challenges = [], []
    for name, text in files_of(path):
        if re.fullmatch(r"records/[^/]+/\d+\.json", name):
            etches += map(checked, json.loads(text)["etches"])
        elif re.fullmatch(r"challenges/\d+\.json", name):
            challenges += json.loads(text)["challenges"]
    return etches, challenges


def checked(etch):
    """Only what the hash binds: content and created_at out of the canonical string, null without one."""
    bound = bound_parts(etch) if etch["status"] == "revealed" else None
    return {**etch, "content": bound and bound[1], "created_at": bound and bound[0]}


def bound_parts(etch):
    """(created_at, content) of a canonical string that makes the hash and names the author, else None"""
    canonical = etch["canonical_string"]
    try:
        if canonical is None or hashlib.sha256(canonical.encode("utf-8")).hexdigest() != etch["hash"]:
            return None
    except UnicodeEncodeError:
        return None
    user_id = re.escape(etch["author"]["user_id"])
    time_form = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
    found = re.fullmatch(rf"svc:v1\|{user_id}\|({time_form})\|[0-9a-f]{{64}}\|(.*)", canonical, re.DOTALL)
    return found and found.groups()


def files_of(path):
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                if name.endswith(".json"):
                    with open(full, encoding="utf-8") as file:
                        yield os.path.relpath(full, path).replace(os.sep, "/"), file.read()
    else:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile() and re.match(r"(records|challenges)/", member.name):
                    yield member.name, archive.extractfile(member).read().decode("utf-8")


# -- words -------------------------------------------------------------------------------------------------------------


def parts_of(content, tag):
    line, below, _ = content.partition("\n")
    line = line[:-1] if below and line.endswith("\r") else line
    if CONTROL.search(line):
        raise Text("a control character")
    found, *parts = [part for part in line.split(" ") if part] or [""]
    if found != tag or not line.startswith(tag):
        raise Text("another tag")
    return parts


def is_spaced(content, convention):
    """Version 2 is for outcomes with spaces."""
    return content.startswith(f"svc-{convention}:v2 ")


def joined(parts):
    """Pairs of version 2: a name ends at its =, and a value at a space."""
    pairs, name = [], []
    for part in parts:
        name.append(part)
        if "=" in part:
            pairs.append(" ".join(name))
            name = []
    return pairs + ([" ".join(name)] if name else [])


def nfc(name):
    return unicodedata.normalize("NFC", name)


def is_name(name):
    return (
        0 < len(name) <= 40
        and all(word and all(unicodedata.category(one)[0] in "LMNPS" for one in word) for word in name.split(" "))
        and not re.search(r"[=|\[\],]", name)
        and not IGNORABLE.search(name)
        and name != "void"
        and not re.fullmatch(r"q[0-9]+", name)
    )


def probability(text):
    if not re.fullmatch(r"[01](\.[0-9]{1,6})?", text) or Fraction(text) > 1:
        raise Text(f"{text} is no probability")
    return Fraction(text)


def number(text):
    if not re.fullmatch(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,6})?", text):
        raise Text(f"{text} is no number")
    return Fraction(text)


def forecast(content):
    """{'outcomes': {name: p}} or {'quantiles': [(level, value)]}"""
    spaced = is_spaced(content, "forecast")
    parts = joined(parts_of(content, "svc-forecast:v2")) if spaced else parts_of(content, "svc-forecast:v1")
    pairs = [part.partition("=") for part in parts]
    pairs = [(nfc(name), sign, value) for name, sign, value in pairs]
    if spaced and not any(" " in name for name, _, _ in pairs):
        raise Text("version 2 without a space")
    if not 1 <= len(pairs) <= 100 or any(not name or not value for name, _, value in pairs):
        raise Text("no pairs, too many, or half of one")
    if len({name for name, _, _ in pairs}) < len(pairs):
        raise Text("a name twice")
    quantiles = [bool(re.fullmatch(r"q[1-9][0-9]?", name)) for name, _, _ in pairs]
    if all(quantiles):
        read = sorted((int(name[1:]), number(value)) for name, _, value in pairs)
        if any(after[1] < before[1] for before, after in zip(read, read[1:])):
            raise Text("values fall")
        return {"quantiles": read}
    if any(quantiles) or not all(is_name(name) for name, _, _ in pairs):
        raise Text("names that cannot be")
    outcomes = {name: probability(value) for name, _, value in pairs}
    if list(outcomes) == ["yes"]:
        outcomes["no"] = 1 - outcomes["yes"]
    if sum(outcomes.values()) != 1:
        raise Text("the sum is not 1")
    return {"outcomes": outcomes}


def resolution(content):
    spaced = is_spaced(content, "resolution")
    parts = parts_of(content, "svc-resolution:v2" if spaced else "svc-resolution:v1")
    if spaced and "|" in parts:
        end = parts.index("|")
        outcome = " ".join(parts[1:end])
        if " " not in outcome:
            raise Text("version 2 without a space")
        parts = [parts[0], outcome, *parts[end + 1 :]]
    elif spaced:
        raise Text("no line after the outcome")
    target, outcome, *source = parts + [None, None][: 2]
    source = [one for one in source if one is not None]
    outcome = outcome and nfc(outcome)
    if target is None or not UUID.fullmatch(target) or outcome is None or not source:
        raise Text("a part is missing")
    if outcome != "void" and not is_name(outcome):
        number(outcome)
    return target, outcome


def asked_by(question):
    """('outcomes', names), ('number', unit, levels) or None"""
    found = re.search(r"\[([^\[\]]*)\][ \t]*\Z", question)
    if not found or CONTROL.search(found[1]):
        return None
    if found[1].startswith("number:"):
        unit, *behind = found[1][len("number:") :].split(";")
        unit = unit.strip(" ")
        levels = levels_of(behind)
        return ("number", unit, levels) if 0 < len(unit) <= 20 and levels else None
    spaced = re.match(r"outcomes: +(?![ |])", found[1])
    inside = found[1][spaced.end() :] if spaced else found[1]
    names = [nfc(name.strip(" ")) for name in inside.split("|")]
    good = 2 <= len(names) <= 100 and len(set(names)) == len(names) and all(map(is_name, names))
    good = good and (spaced or not any(" " in name for name in names))
    return ("outcomes", names) if good else None


def levels_of(behind):
    """The quantile levels behind the unit, ascending; None when they are malformed."""
    if not behind:
        return LEVELS
    levels = [part for part in behind[0].split(" ") if part]
    good = len(behind) == 1 and levels and len(set(levels)) == len(levels)
    if not good or not all(re.fullmatch(r"[1-9][0-9]?", level) for level in levels):
        return None
    return tuple(sorted(map(int, levels)))


def given_levels(read):
    return tuple(level for level, _ in read["quantiles"])


def asked_by_forecast(read):
    if "quantiles" in read:
        return ("number", None, given_levels(read))
    names = list(read["outcomes"])
    return ("outcomes", ["yes", "no"] if set(names) <= {"yes", "no"} else names)


def answers(outcome, asked):
    if outcome == "void":
        return True
    if asked[0] == "outcomes":
        return outcome in asked[1]
    try:
        number(outcome)
        return True
    except Text:
        return False


# -- resolutions -------------------------------------------------------------------------------------------------------


def place(etch):
    return (etch["chain"]["anchored_at"] or "~", etch["created_at"] or "", etch["id"])


def describes(etch, target):
    """Is the etch described as the resolution of this target?"""
    return etch["description"].split(" ")[:2] == ["svc-resolution:v1", target]


def resolve(target, asked, resolver, begins, record):
    """(outcome, etch) of the resolution that counts, or None"""
    seen = sorted(
        (
            etch
            for etch in record
            if etch["author"]["user_id"] == resolver
            and describes(etch, target)
            and etch["mode"] == "instant"
            and etch["challenge"] is None
            and etch["chain"]["anchored_at"] is not None
            and (etch["created_at"] is None or etch["created_at"] >= begins)
            and etch["chain"]["anchored_at"][:19] >= begins[:19]
        ),
        key=place,
    )
    first = None
    for etch in seen:
        if etch["status"] == "retracted" or not (etch["content"] or "").startswith("svc-resolution:v"):
            continue
        try:
            of, outcome = resolution(etch["content"])
        except Text:
            continue
        if of == target and answers(outcome, asked):
            first = (outcome, etch)
            break
    for etch in seen:
        if etch["status"] == "retracted" and not by_operator(etch):
            if first is None or etch["chain"]["anchored_at"] <= first[1]["chain"]["anchored_at"]:
                return None
    return first


# -- scores ------------------------------------------------------------------------------------------------------------


def judge(etches, challenges):
    """Every forecast: a dictionary with its state, and its scores where it has any."""
    records = {}
    for etch in etches:
        records.setdefault(etch["author"]["user_id"], []).append(etch)
    known = {}
    for one in challenges:
        asked = asked_by(one["question"])
        if asked:
            record = records.get(one["creator_id"], [])
            found = resolve(one["id"], asked, one["creator_id"], one["reveal_at"], record)
            known[one["id"]] = (asked, found, one["reveal_at"])
    judged = []
    for etch in sorted(etches, key=place):
        inside = etch["challenge"] is not None
        if inside and etch["challenge"]["id"] not in known:
            continue
        if not inside and not re.match(r"svc-forecast:v[12](?=[ \t\r\n]|\Z)",etch["content"] or ""):
            continue
        row = {"etch_id": etch["id"], "user_id": etch["author"]["user_id"], "self_resolved": False}
        row["challenge_id"] = etch["challenge"]["id"] if inside else None
        row.update(state_of(etch, known[row["challenge_id"]] if inside else None, records))
        judged.append(row)
    return judged


def by_operator(etch):
    """Taken down by the operator: never a retraction of the author."""
    return etch["status"] == "retracted" and etch.get("retracted_by") is not None


def state_of(etch, question, records):
    if etch["status"] == "retracted":
        return {"state": "taken_down" if by_operator(etch) else "retracted"}
    if etch["content"] is None:
        return {"state": "sealed"}
    try:
        read = forecast(etch["content"])
    except Text:
        # Of another version it is a text; in a challenge that asks for a forecast it is a malformed answer.
        return {"state": "malformed"}
    if question:
        asked, found, closes = question
        form = "outcomes" if asked[0] == "outcomes" else "quantiles"
        if form not in read or (form == "outcomes" and not set(read["outcomes"]) <= set(asked[1])):
            return {"state": "malformed"}
        if form == "quantiles" and given_levels(read) != asked[2]:
            return {"state": "malformed"}
    else:
        author, closes = etch["author"]["user_id"], None
        asked = asked_by_forecast(read)
        found = resolve(etch["id"], asked, author, etch["created_at"], records[author])
    attested = etch["chain"]["anchored_at"]
    if attested is None:
        return {"state": "pending"}
    if closes and time(attested) > time(closes) + timedelta(minutes=10):
        return {"state": "late"}
    if found is None:
        return {"state": "unresolved"}
    outcome, by = found
    row = {"self_resolved": by["author"]["user_id"] == etch["author"]["user_id"]}
    if outcome == "void":
        return {**row, "state": "void"}
    if attested > by["chain"]["anchored_at"]:
        return {**row, "state": "late"}
    return {**row, "state": "scored", **scores_of(read, asked, outcome)}


def time(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def scores_of(read, asked, outcome):
    if "quantiles" in read:
        actual = number(outcome)
        losses = [
            Fraction(level, 100) * (actual - value) if actual >= value else Fraction(100 - level, 100) * (value - actual)
            for level, value in read["quantiles"]
        ]
        return {"unit": asked[1], "levels": asked[2], "quantile_loss": float(sum(losses) / len(losses))}
    p = read["outcomes"]
    errors = {name: (p.get(name, 0) - (name == outcome)) ** 2 for name in asked[1]}
    binary = set(asked[1]) == {"yes", "no"}
    return {
        "binary": binary,
        "p": p.get("yes", Fraction(0)),
        "yes": outcome == "yes",
        "exact": errors["yes"] if binary else sum(errors.values()),
        "brier": float(errors["yes"] if binary else sum(errors.values())),
        "log": -math.log(max(float(p.get(outcome, 0)), 1e-6)),
    }


def mean(values):
    values = list(values)
    return {"n": len(values), "mean": math.fsum(values) / len(values) if values else None}


def exact_mean(values):
    values = list(values)
    return float(sum(values) / len(values)) if values else None


def wilson(hits, n):
    if n == 0:
        return None
    p = hits / n
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return [max(0.0, middle - reach), min(1.0, middle + reach)]


def summary(judged):
    scored = [row for row in judged if row["state"] == "scored"]
    binary = [row for row in scored if row.get("binary") is True]
    several = [row for row in scored if row.get("binary") is False]
    numeric = [row for row in scored if "quantile_loss" in row]
    groups = sorted({(row["unit"] or "", row["levels"]) for row in numeric})
    return {
        "n": len(scored),
        "brier": {"binary": mean(row["brier"] for row in binary), "several": mean(row["brier"] for row in several)},
        "log": {"binary": mean(row["log"] for row in binary), "several": mean(row["log"] for row in several)},
        "quantile_loss": [
            {
                "unit": unit or None,
                "levels": list(levels),
                **mean(row["quantile_loss"] for row in numeric if (row["unit"] or "", row["levels"]) == (unit, levels)),
            }
            for unit, levels in groups
        ],
        "calibration": [calibration(binary, bin) for bin in range(10)],
        "discrimination": discrimination(binary),
        "murphy": murphy(binary),
    }


def calibration(binary, bin):
    inside = [row for row in binary if min(9, int(row["p"] * 10)) == bin]
    n, yes = len(inside), sum(row["yes"] for row in inside)
    return {
        "from": bin / 10,
        "n": n,
        "yes": yes,
        "mean_forecast": exact_mean(row["p"] for row in inside),
        "observed": yes / n if n else None,
        "interval": wilson(yes, n),
    }


def discrimination(binary):
    yes = [row["p"] for row in binary if row["yes"]]
    no = [row["p"] for row in binary if not row["yes"]]
    told = {"yes": {"n": len(yes), "mean": exact_mean(yes)}, "no": {"n": len(no), "mean": exact_mean(no)}}
    if not yes or not no:
        return {**told, "difference": None, "area": None}
    wins = sum(Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a in yes for b in no)
    return {
        **told,
        "difference": float(sum(yes) / len(yes) - sum(no) / len(no)),
        "area": float(wins / (len(yes) * len(no))),
    }


def murphy(binary):
    n = len(binary)
    groups = {}
    for row in binary:
        groups.setdefault(row["p"], []).append(row["yes"])
    if n == 0:
        return {"n": 0, "groups": 0, "brier": None, "reliability": None, "resolution": None, "uncertainty": None}
    base = Fraction(sum(row["yes"] for row in binary), n)
    observed = {p: Fraction(sum(yes), len(yes)) for p, yes in groups.items()}
    return {
        "n": n,
        "groups": len(groups),
        "brier": exact_mean(row["exact"] for row in binary),
        "reliability": float(sum(len(yes) * (p - observed[p]) ** 2 for p, yes in groups.items()) / n),
        "resolution": float(sum(len(yes) * (observed[p] - base) ** 2 for p, yes in groups.items()) / n),
        "uncertainty": float(base * (1 - base)),
    }


def counts(judged):
    told = {state: sum(row["state"] == state for row in judged) for state in STATES}
    own = sum(row["state"] == "scored" and row["self_resolved"] for row in judged)
    return {"forecasts": len(judged), **told, "self_resolved": own}


def account(username, etches, judged):
    own = [etch for etch in etches if etch["author"]["username"] == username]
    if not own:
        return None
    mine = [row for row in judged if row["user_id"] == own[0]["author"]["user_id"]]
    return {
        "counts": {
            **counts(mine),
            "sealed_etches": sum(etch["status"] == "sealed" for etch in own),
            "retractions": sum(etch["status"] == "retracted" and not by_operator(etch) for etch in own),
            "takedowns": sum(by_operator(etch) for etch in own),
        },
        "scores": {
            "by_others": summary([row for row in mine if not row["self_resolved"]]),
            "self_resolved": summary([row for row in mine if row["self_resolved"]]),
        },
    }


def challenge(id, etches, judged):
    answered = [row for row in judged if row["challenge_id"] == id]
    who = {row["user_id"] for row in answered}
    erased = [etch for etch in etches if etch["status"] == "retracted" and etch["author"]["user_id"] in who]
    takedowns = sum(by_operator(etch) for etch in erased)
    retractions = len(erased) - takedowns
    told = {**counts(answered), "retractions": retractions, "takedowns": takedowns}
    return {"counts": told, "scores": summary(answered)}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    etches, challenges = load(sys.argv[1])
    judged = judge(etches, challenges)
    names = sys.argv[2:] or sorted({etch["author"]["username"] for etch in etches})
    asking = [one["id"] for one in challenges if asked_by(one["question"])]
    told = {
        "accounts": {name: account(name, etches, judged) for name in names},
        "challenges": {} if sys.argv[2:] else {id: challenge(id, etches, judged) for id in asking},
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
