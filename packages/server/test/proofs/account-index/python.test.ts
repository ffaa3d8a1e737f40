import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { logTree } from '../../../../../testing/log/index-of-log.ts';
import { rounds } from '../../../../../testing/rounds.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { readVector } from '../../../../../testing/vectors/vectors.ts';

const service = useService();
const docs = join(import.meta.dirname, '../../../../../docs');
const TREES = rounds(30, 200);
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function python(args: string[], input = ''): Promise<string> {
  const child = spawn('python3', ['-B', ...args], { cwd: docs });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}

test.runIf(hasPython)('verify_index.py recomputes every index entry of a real log', async () => {
  const [first, second] = [await logTree(service.db, 3), await logTree(service.db, 1)];
  for (let trees = 2; trees < TREES; trees++)
    await logTree(service.db, 1 + (trees % 7), [first, second, undefined][trees % 3]);
  await service.runTask('log of trees');
  const { body } = await service.get('/.well-known/svc.json');
  const said = await python(['verify_index.py', '--log', body.log.keys[0], service.baseUrl]);
  expect(said).toContain(`PASS: ${TREES} index entries over ${TREES} trees are right`);
});

const DRIVER = `
import json, sys
from verify_index import check_answers, Refused
for reading in json.load(sys.stdin):
    try:
        pages = reading["pages"]
        print("pass", len(check_answers(reading["key"], pages[0]["user_id"], pages)[0]))
    except (Refused, KeyError, TypeError, ValueError, IndexError) as fault:
        print("fail", fault)
`;

test.runIf(hasPython)('verify_index.py decides the vectors', async () => {
  const key = (readVector('valid/tlog').policy as string).split(/\s/)[1];
  const [valid, invalid] = ['valid/account-index', 'invalid/account-index'].map(readVector);
  const whole = ({ kept, pages }: any) => kept === null && pages.length > 0;
  // The script has no earlier reading, and the caller names the account.
  const good = valid.readings.filter(whole);
  const bad = invalid.readings.filter((one: any) => whole(one) && one.fault !== 'user_id');
  const malformed = invalid.malformed
    .filter(({ answer }: any) => !Array.isArray(answer))
    .map(({ why, answer }: any) => ({ why, pages: [answer] }));
  const readings = [...good, ...bad, ...malformed].map(({ pages }: any) => ({ key, pages }));
  const said = (await python(['-c', DRIVER], JSON.stringify(readings))).trim().split('\n');
  expect(said).toHaveLength(readings.length);
  expect(said.slice(0, good.length)).toEqual(good.map(({ count }: any) => `pass ${count}`));
  const passed = [...bad, ...malformed].filter((_: any, at: number) =>
    said[good.length + at]!.startsWith('pass'),
  );
  expect(passed.map(({ why }: any) => why)).toEqual([]);
});
