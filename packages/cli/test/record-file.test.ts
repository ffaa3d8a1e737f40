import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import type { Json } from '../../../testing/json.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { runProgram } from '../../../testing/machine/program.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { cosign, policyOf } from './support/index-witness.ts';
import { useIndexProxy } from './support/index-proxy.ts';

const at = useIndexProxy(useSharedService());
const saved = () => join(newFolder('record'), 'record.json');
const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8'));
function changed(path: string, change: (file: Json) => void): string {
  const [file, to] = [read(path), saved()];
  change(file);
  writeFileSync(to, JSON.stringify(file));
  return to;
}
const SCRIPT = join(import.meta.dirname, '../../../docs/verify_index.py');
const etchOf = (path: string): Json => read(path).etches[0];
const OFFLINE = { env: { SVC_BASE_URL: 'http://127.0.0.1:9' } };

test('one file has the record and its index answer, and is checked offline', async () => {
  const { run, logKey } = await at.reader();
  const path = saved();
  await ends(run('record', at.username, '--out', path), 0, { out: `${path} (2 etches; check it with` });
  const file = read(path);
  expect(file).toMatchObject({ _format: 'svc-record:v1', user: { user_id: at.userId } });
  expect(file).not.toHaveProperty('evidence');
  await ends(run('verify', path, '--offline'), 2, {
    out: 'the times of the etches are those that the service gave',
    last: /^WAIT: 2 etches: 2 open, 0 sealed, 0 retracted; every etch of the log up to \S+ \(the time in the file, by the clock of the service or browser that saved it\) by the operator's index; nobody whom you named has recomputed it\.$/,
  });
  const cosigned = changed(path, ({ index }) => {
    for (const page of index) page.checkpoint = cosign(page.checkpoint);
  });
  const policy = policyOf(logKey());
  const named = ['--policy', policy, '--index-witness', 'checker', '--offline'];
  await ends(run('verify', cosigned, ...named), 0, {
    out: 'the witness checker recomputed the index, by your word',
    last: /^PASS: 2 etches: 2 open, 0 sealed, 0 retracted; every etch of the log up to 20\S+Z\.$/,
  });
  expect(await jsonOf(run('verify', cosigned, ...named, '--json'), 0)).toMatchObject({ result: 'pass' });
  const untimed = ['--policy', policyOf(logKey(), 'none'), '--index-witness', 'checker', '--offline'];
  await ends(run('verify', cosigned, ...untimed), 0, { last: /every etch of the log up to 20\S+Z\.$/ });
  await ends(run('verify', path, ...named), 2, { out: 'checker recomputes the index and has not cosigned' });
});

test('fails for a changed file, and waits without the key of the log', async () => {
  const { run } = await at.reader();
  const path = saved();
  await ends(run('record', at.username, '--out', path), 0);
  const FAIL = 'FAIL: the record in the file leaves something out, or differs from its index.';
  const verify = (change: (file: Json) => void) => run('verify', changed(path, change), '--offline');
  await ends(
    verify(({ etches }) => etches.pop()),
    1,
    { out: /missing: [0-9a-f]{64}: the tree at the log/, last: FAIL },
  );
  await ends(
    verify(({ etches }) => (etches[0].content = 'Another text.')),
    1,
    { out: 'its content is not the one in its canonical_string' },
  );
  await ends(
    verify(({ etches }) => (etches[0].hash = 'ab'.repeat(32))),
    1,
    { out: [/missing: [0-9a-f]{64}: the tree at the log/, 'altered: abab'], last: FAIL },
  );
  await ends(
    verify(({ index }) => index[0].entries.pop()),
    1,
    { out: /1 entries of 2 are read/, last: FAIL },
  );
  await ends(
    verify(({ etches }) => (etches[0].status = 'retracted')),
    1,
    { out: 'its status is retracted, and it has a canonical_string' },
  );
  const hidden = { status: 'retracted', canonical_string: null, content: null, salt: null, created_at: null };
  await ends(
    verify(({ etches }) => Object.assign(etches[0], hidden)),
    2,
    { out: `INFO  retracted without a tombstone: etch ${etchOf(path).id}` },
  );
  await ends(
    verify(({ etches }) => delete etches[0].chain),
    1,
    { err: 'FAIL: not a valid record file: etches' },
  );
  await ends(
    verify((file) => (file.index = [])),
    1,
    { err: 'FAIL: not a valid record file: index is missing' },
  );
  await ends(at.account.run(['verify', path, '--offline'], OFFLINE), 2, {
    out: 'no key of the log is pinned',
  });
});

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'docs/verify_index.py checks the file with the standard library of Python',
  async () => {
    const { run, logKey } = await at.reader();
    const path = saved();
    await ends(run('record', at.username, '--out', path), 0);
    const python = (file: string) => runProgram('python3', ['-B', SCRIPT, logKey(), file]);
    await ends(python(path), 0, { out: `PASS: ${at.userId} has 2 etches, 0 retracted` });
    const fails = (change: (file: Json) => void, err: string) =>
      ends(python(changed(path, change)), 1, { err: `FAIL: ${err}` });
    await fails(({ etches }) => etches.pop(), 'the record leaves out');
    await fails(({ etches }) => (etches[0].hash = 'ab'.repeat(32)), 'the record leaves out');
    await fails(({ etches }) => (etches[0].canonical_string += '.'), 'the words of');
    await fails(({ etches }) => (etches[0].status = 'sealed'), etchOf(path).hash);
    await fails(({ index }) => index[0].entries.pop(), 'entries are missing');
    await fails(({ etches }) => etches.push(etches[0]), 'the record shows an etch twice');
    await fails(
      ({ etches }) => (etches[0].content = 'Another text.'),
      `${etchOf(path).hash} shows other fields`,
    );
    await fails((file) => (file.index = []), '');
    const unlogged = changed(path, ({ etches }) => {
      const words = `${etches[0].canonical_string}.`;
      const hash = createHash('sha256').update(words).digest('hex');
      etches.push({ ...etches[0], hash, canonical_string: words, content: `${etches[0].content}.` });
    });
    await ends(python(unlogged), 2, { out: 'WAIT: save the file again later' });
    const retracted = changed(path, ({ etches: [{ chain }] }) =>
      Object.assign(chain, {
        revocation_attestation_uid: chain.attestation_uid,
        revocation_tree_version: 2,
      }),
    );
    await ends(python(retracted), 2, { out: 'WAIT: save the file again later' });
    await ends(runProgram('python3', ['-B', SCRIPT, '--log', logKey(), 'http://127.0.0.1:9']), 2, {
      out: 'WAIT: a file or the service cannot be read now',
    });
    await fails((file) => (file.user.user_id = '00000000-0000-4000-8000-000000000000'), '');
  },
);

/** Two index entries cover only the first of two trees, as the format allows. */
const BEHIND = `
import base64, json, sys
import verify_index as v
def data(root, kind, version, count): return root + b"".join(n.to_bytes(32, "big") for n in (kind, version, count))
user = bytes(range(16))
leaf = lambda n: user + bytes([n]) * 32
peaks, tree = [], lambda n: data(v.sha(b"\\0", leaf(n)), 0, 2, 1)
v.add(peaks, v.sha(b"\\0", v.number(0), b"\\0", leaf(1)[16:]))
root = v.sha(b"\\2", v.sha(user), v.number(1), v.tree_root(peaks))
index = data(root if sys.argv[1] == "right" else bytes(32), 2, 1, 1)
log = [tree(1), index, tree(2), index]
hashes = [v.sha(b"\\0", one) for one in log]
top = v.join(v.join(*hashes[:2]), v.join(*hashes[2:]))
def answer(name):
    mine = name == "00010203-0405-0607-0809-0a0b0c0d0e0f"
    entries = [(v.number(0) + b"\\0" + leaf(1)[16:]).hex()] if mine else []
    other = None if mine else {"key": v.sha(user).hex(), "value": (v.number(1) + v.tree_root(peaks)).hex()}
    proof = [hashes[2].hex(), v.join(*hashes[:2]).hex()]
    return {"user_id": name, "checkpoint": "", "index": {"log_index": 3, "data": index.hex(), "proof": proof}, "count": len(entries),
        "account_root": v.tree_root(peaks).hex() if mine else None, "path": [], "other": other, "from": 0, "before": [], "entries": entries, "more": False}
class Answer:
    def __init__(self, url):
        kind, name = url.split("/log/")[1].split("?")[0].split("/", 1) if "/log/checkpoint" not in url else ("", "")
        self.body = leaf(int(name) // 2 + 1) if kind == "leaves" else json.dumps(answer(name)).encode() if kind == "index" else b"".join(b"\\0\\x80" + one for one in log) if kind else b""
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def read(self): return self.body
v.urllib.request.urlopen = Answer
v.check_checkpoint = lambda note, key: (4, top)
try: v.check_log("key", "http://x")
except v.Refused as fault: print("FAIL:", fault)
`;

test.runIf(spawnSync('python3', ['--version']).status === 0)(
  'docs/verify_index.py recomputes index entries that are behind the log',
  async () => {
    const folder = newFolder('behind');
    writeFileSync(join(folder, 'behind.py'), BEHIND);
    const python = (which: string) =>
      runProgram('python3', ['-B', join(folder, 'behind.py'), which], {
        env: { ...process.env, PYTHONPATH: join(SCRIPT, '..') },
      });
    await ends(python('right'), 0, { out: 'PASS: 2 index entries over 2 trees are right' });
    await ends(python('wrong'), 0, { out: 'FAIL: entry 1 is not the index of the trees before it' });
  },
);

test('a file with an older index entry is not written, and waits', async () => {
  const { run, logKey } = await at.reader({ isForger: true });
  const { entries } = await at.answer();
  await at.forge({ entries, covered: Number.parseInt(entries.at(-1).slice(0, 16), 16) + 1 });
  const path = saved();
  await ends(run('record', at.username, '--out', path), 2, {
    err: /was not written: the index covers \d+ of the \d+ entries of the log, and a saved file shows nothing/,
  });
  expect(existsSync(path)).toBe(false);
  const { answer } = at.forged!;
  at.forged = undefined;
  await ends(run('record', at.username, '--out', path), 0);
  const behind = changed(
    path,
    (file) => (file.index = [{ ...answer, checkpoint: cosign(answer.checkpoint) }]),
  );
  const named = ['--policy', policyOf(logKey()), '--index-witness', 'checker', '--offline'];
  await ends(run('verify', behind, ...named), 2, {
    out: /WAIT {2}unproven: the index covers \d+ of the \d+ entries of the log, and a saved file shows nothing/,
    last: 'WAIT: not everything can be proven now; nothing in the file contradicts the record.',
  });
  if (spawnSync('python3', ['--version']).status !== 0) return;
  await ends(runProgram('python3', ['-B', SCRIPT, logKey(), behind]), 2, {
    out: 'WAIT: save the file again later',
  });
});

test('evidence in the file proves the times, under block hashes that the reader gives', async () => {
  const { run } = await at.reader();
  const path = saved();
  await ends(run('record', at.username, '--out', path, '--evidence'), 0);
  expect(read(path).evidence).toHaveLength(2);
  await ends(run('verify', path), 2, { out: /proofs of time that hold: 0 of 2; give --block-hash or --rpc/ });
  await ends(run('verify', path, '--rpc', `${at.url}/rpc`), 2, { out: 'proofs of time that hold: 2 of 2' });
  const other = `0x${'12'.repeat(32)}`;
  await ends(run('verify', path, '--block-hash', other), 1, {
    out: /the evidence of etch \S+ does not hold/,
  });
});
