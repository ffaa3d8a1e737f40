import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeAccount } from '../../../../../testing/anchoring/etches.ts';
import { logTree } from '../../../../../testing/log/index-of-log.ts';
import { newFolder } from '../../../../../testing/machine/folder.ts';
import { rounds } from '../../../../../testing/rounds.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { readVector } from '../../../../../testing/vectors/vectors.ts';

const service = useService();
const docs = join(import.meta.dirname, '../../../../../docs');
const TREES = rounds(30, 200);
/** Between two checkpoints of the reader. */
const STRIDE = rounds(5, 1);
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function python(args: string[], input = ''): Promise<string> {
  const child = spawn('python3', ['-B', ...args], { cwd: docs });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out + err;
}

/** Compares each answer with the entries that this program itself reads from the trees of the log. */
const JUDGE = `
import json, sys, urllib.request
from verify_index import add, check_answers, check_checkpoint, need, read_index, sha, tree_root
key, service, path = sys.argv[1:]
def get(name):
    with urllib.request.urlopen(f"{service}/log/{name}") as answer:
        return answer.read()
size, root = check_checkpoint(get("checkpoint").decode(), key)
tiles = [(n, min(256, size - n)) for n in range(0, size, 256)]
data = b"".join(get(f"tile/entries/{n // 256:03}" + (f".p/{width}" if width < 256 else "")) for n, width in tiles)
log, accounts, peaks, roots = [data[n + 2:n + 130] for n in range(0, len(data), 130)], {}, [], {}
for at, entry in enumerate(log):
    add(peaks, sha(b"\\0", entry))
    roots[at + 1] = tree_root(peaks)
    packed = b"" if read_index(entry) else get(f"leaves/{at}")
    for leaf in sorted((packed[n:n + 48] for n in range(0, len(packed), 48)), key=lambda leaf: sha(b"\\0", leaf)):
        accounts.setdefault(leaf[:16].hex(), []).append((at, entry[63], leaf[16:].hex()))
need(roots[size] == root, "the entries do not make the last checkpoint")
answers, present, absent, strangers = 0, {}, set(), set()
for page in map(json.loads, open(path)):
    user, signed = page["user_id"], check_checkpoint(page["checkpoint"], key)
    entries, covered = check_answers(key, user, [page])
    mine = accounts.get(user.replace("-", ""), [])
    need(roots[signed[0]] == signed[1] and covered == signed[0] - 1, "a checkpoint is not of this log")
    need(entries == [one for one in mine if one[0] < covered], f"{user} has other entries below {covered}")
    answers += 1
    if entries: present[user] = present.get(user, 0) + 1
    else: (absent if mine else strangers).add(user)
need(len(present) == len(accounts), "an account was never present")
print(f"PASS: {answers} answers, {len(log)} entries, {len(accounts)} accounts: {sum(present.values())} proofs of presence, of each account; absent before their first tree: {len(absent)}; never there: {len(strangers)}")
`;

test.runIf(hasPython)('verify_index.py recomputes every index entry of a real log', async () => {
  const { body } = await service.get('/.well-known/svc.json');
  const [key] = body.log.keys;
  const strangers = [1, 2, 3].map((last) => `00000000-0000-4000-8000-00000000000${last}`);
  // Each third tree is the first one of an account, which an earlier checkpoint proves absent.
  const accounts = await Promise.all(
    Array.from({ length: 2 + Math.floor(TREES / 3) }, () => makeAccount(service.db)),
  );
  const path = join(newFolder('answers'), 'answers');
  let answers = 0;
  for (let tree = 0; tree < TREES; tree++) {
    const author = tree % 3 < 2 ? accounts[tree % 3] : accounts[2 + Math.floor(tree / 3)];
    await logTree(service.db, 1 + (tree % 7), author);
    if (tree % STRIDE !== 0 && tree !== TREES - 1) continue;
    await service.runTask('log of trees');
    for (const id of [...accounts, ...strangers]) {
      const answer = await service.get(`/log/index/${id}`);
      expect(answer.status).toBe(200);
      appendFileSync(path, `${answer.text}\n`);
      answers++;
    }
  }
  const said = await python(['verify_index.py', '--log', key, service.baseUrl]);
  expect(said).toContain(`PASS: ${TREES} index entries over ${TREES} trees are right`);
  const judged = await python(['-c', JUDGE, key, service.baseUrl, path]);
  console.info(`${said}${judged}`);
  const known = accounts.length;
  expect(judged).toMatch(/^PASS: /);
  expect(judged).toContain(`${answers} answers, ${2 * TREES} entries, ${known} accounts: `);
  // Only the account of the first tree is in each index.
  expect(judged).toContain(`absent before their first tree: ${known - 1}; never there: ${strangers.length}`);
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
