// `npm run bench -- compare <commit> [parts]`: in turns, so that other load affects both. Prints ratios with their
// spread.
import { join } from 'node:path';
import { ROOT, run, say, SetupError } from '../../scripts/prerequisites/run.mjs';
import { median, ratio, table } from '../support/report.mjs';
import { figures } from './tables.mjs';
import { checkOut } from './trees.mjs';

const PARTS = ['create', 'read', 'discovery', 'folding'];

/** @param {{ commit: string, parts?: string[], rounds: number }} options */
export async function compare({ commit: name, parts = PARTS, rounds }) {
  const before = checkOut(name);
  const trees = [
    { name: before.commit, folder: before.folder },
    { name: 'this tree', folder: ROOT },
  ];
  const measured = trees.map(() => []);
  for (let round = 0; round < rounds; round++) {
    // The first one has a cooler machine.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const { name: tree, folder } = trees[index];
      say(`Round ${round + 1} of ${rounds}: ${tree} …`);
      measured[index].push(figures(await report(folder, parts)));
    }
  }
  print(before.commit, pair(measured[0], measured[1]), rounds);
}

async function report(folder, parts) {
  const { status, stdout, stderr } = await run(
    process.execPath,
    [join(folder, 'scripts', 'bench.mjs'), '--json', ...parts],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (status !== 0) throw new SetupError(`The bench of ${folder} failed:\n${stderr || stdout}`);
  return stdout;
}

/** With the ratio of every round. */
function pair(before, now) {
  const name = ({ table: of, row, column }) => JSON.stringify([of, row, column]);
  const values = (rounds) =>
    rounds.map((found) => new Map(found.map((figure) => [name(figure), figure.value])));
  const [old, current] = [values(before), values(now)];
  return now[0].flatMap((figure) => {
    const key = name(figure);
    const ratios = current.flatMap((round, index) => {
      const [a, b] = [old[index].get(key), round.get(key)];
      return a > 0 && b !== undefined ? [b / a] : [];
    });
    if (ratios.length === 0) return [];
    const of = (rounds) => median(rounds.flatMap((round) => round.get(key) ?? []));
    return [{ ...figure, before: of(old), now: of(current), ratios }];
  });
}

function print(commit, pairs, rounds) {
  for (const title of new Set(pairs.map((pair) => pair.table))) {
    table(
      title,
      ['figure', commit, 'this tree', 'ratio', `spread of ${rounds}`],
      pairs
        .filter((pair) => pair.table === title)
        .map(({ row, column, text, before, now, ratios }) => [
          `${row}: ${column}`,
          like(text, before),
          like(text, now),
          ratio(median(ratios)),
          `${ratio(Math.min(...ratios))} to ${ratio(Math.max(...ratios))}`,
        ]),
    );
  }
}

/** Like another cell. */
function like(text, value) {
  const unit = text.replace(/^[\d,.]+/, '');
  const digits = /\.(\d+)/.exec(text)?.[1].length ?? 0;
  return (
    value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }) + unit
  );
}
