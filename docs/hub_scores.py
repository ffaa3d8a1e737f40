"""Computes the scores of docs/conventions.md#scores-of-hubs from CSV files, with the standard library only.

usage: python3 docs/hub_scores.py <target.csv> <model,target,...> <model-output file>...

It proves no time and reads no configuration: name the files that svc hub check shows as on time. The weighted interval score is
computed here from quantile losses, and in svc from intervals. Prints one JSON object for each row.
"""
import csv
import json
import math
import os
import sys

OWN = ("output_type", "output_type_id", "value")


def rows(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        yield from csv.DictReader(file)


def cell(text):
    return "" if text in (None, "", "NA") else text


def outcomes(path, columns):
    """Numbers and categories that came true, by the task ids that the file has."""
    numbers, categories, keys = {}, {}, None
    for row in rows(path):
        if keys is None:
            keys = [name for name in row if name in columns]
        value = cell(row.get("oracle_value", row.get("observation")))
        if value == "":
            continue
        key = tuple(cell(row[name]) for name in keys)
        kind = cell(row.get("output_type"))
        if kind == "cdf" or kind == "pmf" and float(value) != 1:
            continue
        found = categories if kind == "pmf" else numbers
        new = (cell(row.get("as_of")), row["output_type_id"] if kind == "pmf" else float(value))
        old = found.get(key, new)
        if old[0] == new[0] and old[1] != new[1]:
            sys.exit(f"{path}: two outcomes, {old[1]} and {new[1]}, for {dict(zip(keys, key))}")
        found[key] = max(old, new)
    return keys, *({key: value for key, (_, value) in found.items()} for found in (numbers, categories))


def quantile_scores(quantiles, y):
    losses = {level: 2 * (y - q) * level if y >= q else 2 * (q - y) * (1 - level) for level, q in quantiles.items()}
    scores = {}
    for name, low in (("coverage_50", 0.25), ("coverage_95", 0.025)):
        if low in quantiles and round(1 - low, 9) in quantiles:
            scores[name] = float(quantiles[low] <= y <= quantiles[round(1 - low, 9)])
    if 0.5 in quantiles:
        scores["ae_median"] = abs(y - quantiles[0.5])
    if quantiles and all(round(1 - level, 9) in quantiles for level in quantiles):
        scores["wis"] = sum(losses.values()) / len(losses)
        over = sum(max(0, q - y) for level, q in quantiles.items() if level < 0.5)
        under = sum(max(0, y - q) for level, q in quantiles.items() if level > 0.5)
        median = quantiles.get(0.5, y)
        scores["overprediction"] = (2 * over + max(0, median - y)) / len(losses)
        scores["underprediction"] = (2 * under + max(0, y - median)) / len(losses)
        scores["dispersion"] = scores["wis"] - scores["overprediction"] - scores["underprediction"]
    return scores


def forecasts(path):
    """By the task ids of a file: quantiles, median and probabilities."""
    found = {}
    for row in rows(path):
        task = tuple((name, cell(text)) for name, text in row.items() if name not in OWN)
        one = found.setdefault(task, {"quantile": {}, "median": None, "pmf": {}})
        if row["output_type"] == "quantile":
            one["quantile"][round(float(row["output_type_id"]), 9)] = float(row["value"])
        elif row["output_type"] == "median":
            one["median"] = float(row["value"])
        elif row["output_type"] == "pmf":
            one["pmf"][row["output_type_id"]] = float(row["value"])
    return {task: one for task, one in found.items() if one["quantile"] or one["pmf"] or one["median"] is not None}


def score_all(target, paths):
    columns = {name for path in paths for name in next(rows(path)) if name not in OWN}
    keys, numbers, categories = outcomes(target, columns)
    for path in paths:
        model = os.path.basename(os.path.dirname(os.path.abspath(path)))
        for task, one in forecasts(path).items():
            named = {"round": os.path.basename(path).split(f"-{model}.")[0], **dict(task)}
            key = tuple(named.get(name, "") for name in keys)
            scores, numeric = {}, one["quantile"] or one["median"] is not None
            if one["pmf"] and key in categories:
                p = one["pmf"].get(categories[key], 0.0)
                scores["log_score"] = -math.log(p) if p > 0 else math.inf
            if numeric and key in numbers:
                scores.update(quantile_scores(one["quantile"], numbers[key]))
                if one["median"] is not None:
                    scores["ae_median"] = abs(numbers[key] - one["median"])
            if one["pmf"] and key in categories or numeric and key in numbers:
                yield model, named, scores


def mean(values):
    return sum(values) / len(values)


def relative_skill(model, models):
    """models: WIS by task, by model."""
    logs = []
    for other, theirs in models.items():
        both = [task for task in models[model] if task in theirs]
        if both:
            logs.append(math.log(mean([models[model][t] for t in both]) / mean([theirs[t] for t in both])))
    return math.exp(mean(logs)) if logs else None


def main(target, by, paths):
    groups, skills = {}, {}
    for model, named, scores in score_all(target, paths):
        of = tuple(model if name == "model" else named.get(name) or "NA" for name in by)
        groups.setdefault(of, []).append(scores)
        within = tuple("" if name == "model" else value for name, value in zip(by, of))
        tasks = skills.setdefault(within, {}).setdefault(model, {})
        if "wis" in scores:
            tasks[tuple(sorted(named.items()))] = scores["wis"]
    for of, group in sorted(groups.items()):
        row = dict(zip(by, of), forecasts=len(group))
        for name in sorted({name for scores in group for name in scores}):
            row[name] = mean([scores[name] for scores in group if name in scores])
        if "model" in by:
            within = tuple("" if name == "model" else value for name, value in zip(by, of))
            row["relative_skill"] = relative_skill(row["model"], skills[within])
        print(json.dumps(row))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2].split(","), sys.argv[3:])
