import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseQuestion, readWords } from '@svc/protocol/conventions';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const vectors = [
  'valid/conventions-words',
  'valid/conventions-first-lines',
  'valid/conventions-spaces',
  'valid/conventions-spaced-outcomes',
].map((path) => readVector(path));
const words: string[] = vectors.flatMap(({ cases }) => cases.map((one: { words: string }) => one.words));
const questions: string[] = vectors.flatMap((vector) =>
  vector.questions.map((one: { question: string }) => one.question),
);

const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import score
def read(words):
    for reader in (score.forecast, score.resolution):
        try: found = reader(words)
        except score.Text: continue
        if isinstance(found, tuple): return list(found)
        if "quantiles" in found: return [level for level, _ in found["quantiles"]]
        return {name: int(p * 1000000) for name, p in found["outcomes"].items()}
given = json.load(sys.stdin)
asked = [score.asked_by(one) for one in given["questions"]]
print(json.dumps([[read(one) for one in given["words"]], [one and one[1] for one in asked]]))
`;

/** As the script prints it. */
function ours(content: string): unknown {
  const read = readWords(content);
  if (read.kind === 'resolution') return [read.target, read.outcome];
  if (read.kind !== 'forecast') return null;
  return read.form === 'quantiles'
    ? read.quantiles.map(({ level }) => level)
    : Object.fromEntries(read.outcomes.map(({ name, millionths }) => [name, millionths]));
}

describe.runIf(hasPython)('docs/score.py', () => {
  test('agrees with the TypeScript code on the words and questions of the vectors', () => {
    const docs = join(import.meta.dirname, '../../../../docs');
    const input = JSON.stringify({ words, questions });
    const [read, asked] = JSON.parse(
      execFileSync('python3', ['-B', '-c', DRIVER, docs], { input, encoding: 'utf8' }),
    );
    expect(words.map((one, at) => [one, read[at]])).toEqual(words.map((one) => [one, ours(one)]));
    const names = (question: string) => {
      const one = parseQuestion(question);
      return one.asks === 'outcomes' ? one.outcomes : one.asks === 'number' ? one.unit : null;
    };
    expect(asked).toEqual(questions.map(names));
  });
});
