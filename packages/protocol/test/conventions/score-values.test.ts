import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { judgeForecasts, resolveChallenge, scoreAccount } from '@svc/protocol/conventions';
import type { PublicChallenge, PublicEtch } from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';

interface Case {
  name: string;
  etches: PublicEtch[];
  challenges: PublicChallenge[];
  expect: Scored;
}
/** A vector has only the values that matter in its case. */
interface Scored {
  forecasts?: object[];
  resolutions?: object[];
  accounts?: { username: string; counts?: object; quantile_loss?: object[] }[];
}

const cases: Case[] = ['valid/score-values', 'valid/score-spaced-outcomes'].flatMap(
  (path) => readVector(path).cases,
);
const { questions } = readVector('valid/conventions-levels') as {
  questions: { question: string; asked: any }[];
};

test('gives the unit of a number that is not scored', () => {
  const { etches, challenges } = cases.find(({ name }) => name.startsWith('averages compare equal units'))!;
  const late = etches.map((etch) => ({
    ...etch,
    chain: { ...etch.chain, anchored_at: '2099-01-01T00:00:00.000Z' },
  }));
  const judged = judgeForecasts({ etches: late, challenges });
  expect(judged.filter(({ forecast }) => forecast).every(({ state }) => state !== 'scored')).toBe(true);
  expect(judged.some(({ state, unit }) => state === 'late' && unit === 'mm')).toBe(true);
});

function byTypeScript({ etches, challenges, expect: { accounts = [] } }: Case): Scored {
  const data = { etches, challenges };
  return {
    forecasts: judgeForecasts(data),
    resolutions: challenges.map((challenge) => {
      const { state, first, taken_down } = resolveChallenge(challenge, etches);
      const ids = taken_down.map(({ etch_id }) => etch_id);
      return { challenge_id: challenge.id, state, etch_id: first?.etch_id ?? null, taken_down: ids };
    }),
    accounts: accounts.map(({ username }) => {
      const { author } = etches.find((etch) => etch.author.username === username)!;
      const { counts, scores } = scoreAccount(author, data);
      return { username, counts, quantile_loss: scores.by_others.quantile_loss };
    }),
  };
}

/** As a module: docs/score.py has no command for input that is not an export. */
const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import score
actual = []
given = json.load(sys.stdin)
for one in given["cases"]:
    etches, challenges = one["etches"], one["challenges"]
    judged = score.judge(etches, challenges)
    resolutions = []
    for challenge in challenges:
        asked = score.asked_by(challenge["question"])
        found = score.resolve(challenge["id"], asked, challenge["creator_id"], challenge["reveal_at"], etches)
        state = "unresolved" if found is None else "void" if found[0] == "void" else "resolved"
        resolutions.append({"challenge_id": challenge["id"], "state": state, "etch_id": found and found[1]["id"]})
    names = [account["username"] for account in one["expect"].get("accounts", [])]
    scored = [(name, score.account(name, etches, judged)) for name in names]
    accounts = [
        {"username": name, "counts": of["counts"], "quantile_loss": of["scores"]["by_others"]["quantile_loss"]}
        for name, of in scored
    ]
    forecasts = [
        {key: row.get(key) for key in ("etch_id", "state", "brier", "log", "quantile_loss")} for row in judged
    ]
    actual.append({"forecasts": forecasts, "resolutions": resolutions, "accounts": accounts})
asked = [score.asked_by(question) for question in given["questions"]]
print(json.dumps({"cases": actual, "questions": asked}))
`;

function byPython(): { cases: Scored[]; questions: unknown[] } {
  const docs = join(import.meta.dirname, '../../../../docs');
  const input = JSON.stringify({ cases, questions: questions.map(({ question }) => question) });
  return JSON.parse(execFileSync('python3', ['-B', '-c', DRIVER, docs], { encoding: 'utf8', input }));
}

/** Numbers agree to 1e-12. */
function expectClose(actual: any, expected: any, path: string): void {
  if (typeof expected === 'number' && typeof actual === 'number')
    return expect(Math.abs(actual - expected), `${path}: ${actual}, not ${expected}`).toBeLessThanOrEqual(
      1e-12,
    );
  if (typeof expected !== 'object' || expected === null) return expect(actual, path).toBe(expected);
  if (Array.isArray(expected)) expect(actual, path).toHaveLength(expected.length);
  for (const key of Object.keys(expected)) expectClose(actual[key], expected[key], `${path}.${key}`);
}

test.each(cases)('$name', (one) => {
  expectClose(byTypeScript(one), one.expect, one.name);
});

describe.runIf(spawnSync('python3', ['--version']).status === 0)('docs/score.py', () => {
  const theirs = byPython();

  test.each(cases.map((one, at) => ({ ...one, at })))('agrees on: $name', ({ name, expect: said, at }) => {
    // The script leaves out takedowns.
    const resolutions = said.resolutions?.map((one) => ({ ...one, taken_down: undefined }));
    expectClose(theirs.cases[at], { ...said, ...(resolutions && { resolutions }) }, name);
  });

  test.each(questions.map((one, at) => ({ ...one, at })))(
    'agrees on the levels of: $question',
    ({ asked, at }) => {
      expect(theirs.questions[at]).toEqual(
        asked.asks === 'text' ? null : ['number', asked.unit, asked.levels],
      );
    },
  );
});
