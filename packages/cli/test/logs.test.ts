import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshHome } from '../../../testing/clients/svc.ts';
import { readLog } from '../src/log/read-log.ts';
import { verifyLog } from '../src/log/verify-log.ts';
import { folderOf } from './support/folder.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, home, run, json } = useAccount({ pins: true });
const hasPython = spawnSync('python3', ['--version']).status === 0;
const clone = join(import.meta.dirname, '../../..');
const python = (...args: string[]) =>
  spawnSync('python3', ['-B', join(clone, 'docs/verify_log.py'), ...args], { encoding: 'utf8' });
const anchor = async (log: string, ...more: string[]) => (await json(['log', 'anchor', log, ...more])).etch;

describe('a log of three states', () => {
  let log: string;
  let copy: string;
  let etches: any[];
  const linesOf = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `{"step":${from + at},"secret":"s${from + at}"}\n`).join(
      '',
    );

  beforeAll(async () => {
    log = join(folderOf({ 'run.jsonl': linesOf(1, 5) }), 'run.jsonl');
    etches = [await anchor(log)];
    appendFileSync(log, linesOf(6, 11));
    etches.push(await anchor(log, '--description', 'The run'));
    appendFileSync(log, linesOf(12, 12));
    etches.push(await anchor(log, '--wait'));
    appendFileSync(log, 'not anchored yet');
  });
  beforeEach(() => {
    copy = join(folderOf({ x: '' }), 'run.jsonl');
    execFileSync('cp', ['-r', log, `${log}.svc-log`, join(copy, '..')]);
  });
  const verify = (...more: string[]) => run(['log', 'verify', copy, ...more]);
  const prove = (line: string, ...more: string[]) => run(['log', 'prove', copy, '--line', line, ...more]);
  const edit = (change: (text: string) => string) => writeFileSync(copy, change(readFileSync(copy, 'utf8')));
  const rewrite7 = () => edit((text) => text.replace('"s7"', '"s0"'));

  test('etches root, number of lines and the earlier state, and no line', () => {
    expect(etches.map(({ content }) => content.replace(/root=[0-9a-f]{64}/, 'root=…'))).toEqual([
      'svc-log:v1 root=… lines=5',
      `svc-log:v1 root=… lines=11 prev=${etches[0].id}`,
      `svc-log:v1 root=… lines=12 prev=${etches[1].id}`,
    ]);
    expect(etches[1].description).toBe('The run');
    expect(statSync(join(`${log}.svc-log`, 'state.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(`${log}.svc-log`, 'leaves')).size).toBe(12 * 32);
  });

  test('every state is a prefix of the file', async () => {
    const ran = await ends(verify(), 0, {
      out: /PASS: 3 anchored states are prefixes of .*, which has 13 lines now\. This is a development chain/,
    });
    expect(
      ran.out.match(/^PASS {2}[0-9a-f-]{36} {2}\S+Z {2}(5|11|12) lines: a prefix of the file$/gm),
    ).toHaveLength(3);
    expect((await run(['log', 'verify', copy, '--etch', etches[1].code])).out).toContain(
      'PASS: 2 anchored states',
    );
  });

  const changed = (line: number) => new RegExp(`line ${line} is not the anchored line`, 'g');
  const missing = (line: number, lines: number) =>
    new RegExp(`line ${line} is missing: the file has ${lines} lines`, 'g');
  test.each<[string, (text: string) => string, RegExp, number]>([
    ['line 1 was rewritten', (text) => text.replace('"step":1,', '"step":0,'), changed(1), 3],
    ['line 7 was rewritten', (text) => text.replace('"s7"', '"s0"'), changed(7), 2],
    ['the file shrank', (text) => text.split('\n').slice(0, 8).join('\n'), missing(9, 8), 2],
    ['the file is empty', () => '', missing(1, 0), 3],
  ])('names the first changed line: %s', async (_, change, message, failing) => {
    edit(change);
    const { out } = await ends(verify(), 1, { out: 'FAIL: ' });
    for (const found of [/^FAIL {2}/gm, message]) expect(out.match(found), out).toHaveLength(failing);
    const named = new RegExp(message.source);
    await ends(run(['log', 'anchor', copy]), 1, { out: '', err: [named, 'Nothing was etched'] });
    expect(statSync(join(`${copy}.svc-log`, 'leaves')).size).toBe(12 * 32);
    await ends(prove('2'), 1, { out: '', err: 'svc log verify' });
  });

  test('names a range without the stored hashes, and when they were changed too', async () => {
    rewrite7();
    const leaves = join(`${copy}.svc-log`, 'leaves');
    const range = { out: 'the first changed line is one of the lines 6 to 11' };
    writeFileSync(leaves, readFileSync(leaves).fill(0, 64, 96));
    await ends(verify(), 1, range);
    rmSync(leaves);
    await ends(verify(), 1, range);
  });

  test('rejects an earlier state by a different account or without fewer lines, and too many states', async () => {
    const other = { home: freshHome(), env: { SVC_BASE_URL: service.url } };
    await svcHere(['register'], other);
    const etch = (words: string) => ['etch', words, '--description', 'A log', '--json', '--wait'];
    const words = (lines: number) => `svc-log:v1 root=${'0'.repeat(64)} lines=${lines} prev=${etches[2].id}`;
    const [fork, text, equal] = await Promise.all([
      jsonOf(svcHere(etch(words(20)), other)),
      jsonOf(run(etch('A text.'))),
      jsonOf(run(etch(words(12)))),
    ]);
    await ends(verify('--etch', fork.etch.id), 1, { err: 'is by a different account' });
    await ends(verify('--etch', text.etch.id), 1, { err: 'svc-log:v1' });
    await ends(verify('--etch', equal.etch.id), 1, {
      err: `${etches[2].id} has 12 lines, not fewer than the later state`,
    });
    const context = { env: { HOME: home, XDG_CONFIG_HOME: home, SVC_BASE_URL: service.url } };
    await expect(verifyLog(copy, { rpc: [], relayer: [] } as never, context as never, 2)).rejects.toThrow(
      `${etches[2].id} has more than 2 earlier states`,
    );
  });

  test('leaves out a last line without a line end, and says so, until the line is complete', async () => {
    const log = join(folderOf({ a: 'one\ntw' }), 'a');
    const leftOut = 'line 2 has no line end: it may be half-written, so it is not anchored';
    const first = JSON.parse((await ends(run(['log', 'anchor', log, '--json']), 0, { err: leftOut })).out);
    expect(first).toMatchObject({ log: { lines: 1 } });
    expect(statSync(join(`${log}.svc-log`, 'leaves')).size).toBe(32);
    const again = await ends(run(['log', 'anchor', log, '--json']), 0, { err: leftOut });
    expect(JSON.parse(again.out)).toMatchObject({ anchored: false, etch: { id: first.etch.id } });
    appendFileSync(log, 'o\n');
    const second = await ends(run(['log', 'anchor', log, '--json', '--wait']), 0, { without: leftOut });
    expect(JSON.parse(second.out)).toMatchObject({ log: { lines: 2 } });
    await ends(run(['log', 'verify', log]), 0, { out: 'PASS: 2 anchored states are prefixes' });
  });

  test('continues a state whose last line was anchored without its line end', async () => {
    const log = join(folderOf({ a: 'one\n' }), 'a');
    const first = await anchor(log, '--wait');
    truncateSync(log, 3);
    expect(await json(['log', 'anchor', log])).toMatchObject({ anchored: false, etch: { id: first.id } });
    await ends(run(['log', 'verify', log]), 0);
  });

  test('anchors no line when the only one has no line end', async () => {
    const log = join(folderOf({ a: 'one' }), 'a');
    await ends(run(['log', 'anchor', log]), 66, { out: '', err: 'line 1 has no line end' });
    expect(existsSync(`${log}.svc-log`)).toBe(false);
  });

  test('says what to move after a rotation, and then continues both files', async () => {
    execFileSync('mv', [copy, `${copy}.1`]);
    writeFileSync(copy, 'a new log\n');
    const move = `move ${copy}.svc-log to <that file>.svc-log`;
    await ends(run(['log', 'anchor', copy]), 1, { out: '', err: ['If the log was rotated', move] });
    await ends(verify(), 1, { out: move });
    execFileSync('mv', [`${copy}.svc-log`, `${copy}.1.svc-log`]);
    expect((await anchor(copy)).content).not.toContain('prev=');
    await ends(run(['log', 'verify', `${copy}.1`]), 0, { out: 'PASS: 3 anchored states' });
  });

  test('shows one line and nothing about the others', async () => {
    const shown = join(home, 'line.json');
    await ends(prove('7', '--out', shown), 0);
    const text = readFileSync(shown, 'utf8');
    const proof = JSON.parse(text);
    expect(Buffer.from(proof.line, 'base64').toString()).toBe('{"step":7,"secret":"s7"}');
    const fields = ['_format', 'etch', 'root', 'lines', 'number', 'line', 'salt', 'proof'];
    expect(Object.keys(proof)).toEqual(fields);
    const { salt } = JSON.parse(readFileSync(join(`${copy}.svc-log`, 'state.json'), 'utf8'));
    expect(text).not.toContain(salt);

    const check = (...more: string[]) => run(['log', 'verify', '--proof', shown, ...more]);
    await ends(check(), 0, { out: ['"secret":"s7"', /PASS: this is line 7 of 12 in etch/] });
    await ends(check('--etch', etches[1].id), 1, { out: 'root or number of lines differ' });
    writeFileSync(shown, JSON.stringify({ ...proof, number: 8 }));
    await ends(check(), 1, { err: 'line 8' });
  });

  test('rejects a line that is not anchored, line 0, and neither log nor proof', async () => {
    await ends(prove('13'), 66, {
      err: /line 13 of .* is not anchored: the last anchored state has 12 lines/,
    });
    await ends(prove('0'), 64, { err: /whole number from 1/ });
    await ends(run(['log', 'verify']), 64, { err: /name a log, or give --proof/ });
  });

  test.runIf(hasPython)('docs/verify_log.py checks the log from files alone', async () => {
    const receipts = etches.map(({ id }) => join(copy, '..', `${id}.json`));
    for (const [at, path] of receipts.entries())
      await ends(run(['receipt', etches[at].id, '--out', path]), 0);
    const check = () => python(copy, `${copy}.svc-log/state.json`, ...receipts);
    expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('PASS: 3 anchored states') });
    rewrite7();
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('lines 6 to 11') });
    receipts.shift();
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('is missing') });
  });

  test.runIf(hasPython)('docs/verify_log.py checks a shown line from two files', async () => {
    const [shown, receipt] = [join(copy, '../line.json'), join(copy, '../receipt.json')];
    const check = () => python('--proof', shown, receipt);
    await json(['receipt', etches[2].id, '--out', receipt]);
    for (const line of ['1', '7', '12']) {
      await json(['log', 'prove', copy, '--line', line, '--out', shown]);
      expect(check()).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(new RegExp(`"s${line}"\\}\nPASS: this is line ${line} of 12`)),
      });
      rmSync(shown);
    }
    await json(['log', 'prove', copy, '--line', '7', '--out', shown]);
    const proof = JSON.parse(readFileSync(shown, 'utf8'));
    for (const change of [{ number: 8 }, { lines: 11 }, { line: 'eA==' }, { proof: proof.proof.slice(1) }]) {
      writeFileSync(shown, JSON.stringify({ ...proof, ...change }));
      expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('FAIL: ') });
    }
    const leaf = Buffer.from('one\ntwo').toString('base64');
    writeFileSync(shown, JSON.stringify({ ...proof, line: leaf }));
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('a line end') });
  });
});

test('rejects a folder, a missing file, a damaged state and a log without one', async () => {
  const folder = folderOf({ a: 'one\n', 'b.svc-log/state.json': '{}', b: 'one\n' });
  for (const [command, name, err] of [
    ['anchor', '', 'is not a file'],
    ['anchor', 'c', 'ENOENT'],
    ['anchor', 'b', 'is not a file that svc log anchor wrote'],
    ['verify', 'a', 'anchor the log first'],
  ] as const)
    await ends(run(['log', command, join(folder, name)]), 66, { out: '', err });
  await ends(run(['log', 'anchor', join(folder, 'no-folder', 'c')]), 66, { out: '', err: 'ENOENT' });
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'b.svc-log']);
});

test('a file that shrinks while it is read is rejected', async () => {
  const log = join(folderOf({ a: '' }), 'a');
  writeFileSync(log, Buffer.alloc(8 * 1024 * 1024, `${'x'.repeat(1023)}\n`));
  const read = readLog(log, new Uint8Array(32), ({ number }) => {
    if (number === 1) truncateSync(log, 100);
  });
  await expect(read).rejects.toThrow('changed while svc read it');
});

test('proves a line of a file with CR LF, and none with a CR inside', async () => {
  const log = join(folderOf({ a: 'one\r\n10 %\r20 %\r\n' }), 'a');
  await anchor(log);
  await ends(run(['log', 'prove', log, '--line', '1']), 0);
  await ends(run(['log', 'prove', log, '--line', '2']), 66, { out: '', err: 'line 2 of' });
});

test('a file that changes while it is read is rejected, and nothing is etched', async () => {
  const log = join(folderOf({ a: '' }), 'a');
  writeFileSync(log, Buffer.alloc(8 * 1024 * 1024, `${'x'.repeat(1023)}\n`));
  const growing = setInterval(() => appendFileSync(log, 'more\n'), 1);
  try {
    await ends(run(['log', 'anchor', log]), 66, { out: '', err: 'changed while svc read it' });
  } finally {
    clearInterval(growing);
  }
  expect(existsSync(`${log}.svc-log`)).toBe(false);
});

test('the session hook of docs/agents.md anchors a transcript', async () => {
  const page = readFileSync(join(clone, 'docs/agents.md'), 'utf8');
  const settings = /```json\n(\{\n {2}"hooks"[^]*?)```/.exec(page)![1]!;
  const { command } = JSON.parse(settings).hooks.SessionEnd[0].hooks[0];
  const transcript = join(folderOf({ 'a run.jsonl': '{"step":1}\n' }), 'a run.jsonl');
  const ran = await promisify(execFile)('bash', ['-c', `printf %s "$INPUT" | { ${command}; }`], {
    env: {
      HOME: home,
      XDG_CONFIG_HOME: home,
      SVC_BASE_URL: service.url,
      PATH: `${clone}:${process.env['PATH']}`,
      INPUT: JSON.stringify({ session_id: 'x', transcript_path: transcript, hook_event_name: 'SessionEnd' }),
    },
  });
  expect(ran.stdout).toContain('lines=1');
});
