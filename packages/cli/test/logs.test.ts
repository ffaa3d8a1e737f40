import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
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
import { ends } from '../../../testing/clients/ends.ts';
import { useAccount } from './support/account.ts';

const { service, home, run, json } = useAccount({ pins: true });
const hasPython = spawnSync('python3', ['--version']).status === 0;
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
  const edit = (change: (text: string) => string) => writeFileSync(copy, change(readFileSync(copy, 'utf8')));

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

  test.each<[string, (text: string) => string, RegExp, number]>([
    [
      'line 1 was rewritten',
      (text) => text.replace('"step":1,', '"step":0,'),
      /line 1 is not the anchored line/,
      3,
    ],
    ['line 7 was rewritten', (text) => text.replace('"s7"', '"s0"'), /line 7 is not the anchored line/, 2],
    [
      'the file shrank',
      (text) => text.split('\n').slice(0, 8).join('\n'),
      /line 9 is missing: the file has 8 lines/,
      2,
    ],
    ['the file is empty', () => '', /line 1 is missing: the file has 0 lines/, 3],
  ])('names the first changed line: %s', async (_, change, message, failing) => {
    edit(change);
    const { out } = await ends(verify(), 1);
    expect(out.match(/^FAIL {2}/gm), out).toHaveLength(failing);
    expect(out.match(new RegExp(message, 'g')), out).toHaveLength(failing);
    expect(out).toContain('FAIL: ');
    await ends(run(['log', 'anchor', copy]), 1, { out: '', err: [message, 'Nothing was etched'] });
    expect(statSync(join(`${copy}.svc-log`, 'leaves')).size).toBe(12 * 32);
  });

  test('names a range without the stored hashes, and when they were changed too', async () => {
    edit((text) => text.replace('"s7"', '"s0"'));
    const leaves = join(`${copy}.svc-log`, 'leaves');
    const bytes = readFileSync(leaves);
    writeFileSync(leaves, bytes.fill(0, 64, 96));
    expect((await verify()).out).toContain('the first changed line is one of the lines 6 to 11');
    rmSync(leaves);
    expect((await verify()).out).toContain('the first changed line is one of the lines 6 to 11');
  });

  test('rejects an earlier state by a different account, and an etch that is no state', async () => {
    const other = freshHome();
    const asOther = (args: string[]) => svcHere(args, { home: other, env: { SVC_BASE_URL: service.url } });
    await asOther(['register']);
    const words = `svc-log:v1 root=${'0'.repeat(64)} lines=20 prev=${etches[2].id}`;
    const made = await asOther(['etch', words, '--description', 'A log', '--json', '--wait']);
    const fork = JSON.parse(made.out).etch.id;
    await ends(verify('--etch', fork), 1, { err: 'is by a different account' });
    const text = (await json(['etch', 'A text.', '--description', 'Text', '--wait'])).etch.id;
    await ends(verify('--etch', text), 1, { err: 'svc-log:v1' });
  });

  test('rejects an earlier state without fewer lines, and too many states', async () => {
    const words = `svc-log:v1 root=${'0'.repeat(64)} lines=12 prev=${etches[2].id}`;
    const { id } = (await json(['etch', words, '--description', 'A log', '--wait'])).etch;
    await ends(verify('--etch', id), 1, {
      err: `${etches[2].id} has 12 lines, not fewer than the later state`,
    });
    const context = { env: { HOME: home, XDG_CONFIG_HOME: home, SVC_BASE_URL: service.url } };
    await expect(verifyLog(copy, { rpc: [], relayer: [] } as never, context as never, 2)).rejects.toThrow(
      `${etches[2].id} has more than 2 earlier states`,
    );
  });

  test('does not etch twice without a new line', async () => {
    const log = join(folderOf({ a: 'one' }), 'a');
    const first = await anchor(log);
    expect(await json(['log', 'anchor', log])).toMatchObject({ anchored: false, etch: { id: first.id } });
    writeFileSync(log, 'one\n');
    expect(await json(['log', 'anchor', log])).toMatchObject({ anchored: false });
  });

  test('shows one line and nothing about the others', async () => {
    const shown = join(home, 'line.json');
    await ends(run(['log', 'prove', copy, '--line', '7', '--out', shown]), 0);
    const text = readFileSync(shown, 'utf8');
    const proof = JSON.parse(text);
    expect(Buffer.from(proof.line, 'base64').toString()).toBe('{"step":7,"secret":"s7"}');
    expect(Object.keys(proof)).toEqual([
      '_format',
      'etch',
      'root',
      'lines',
      'number',
      'line',
      'salt',
      'proof',
    ]);
    const { salt } = JSON.parse(readFileSync(join(`${copy}.svc-log`, 'state.json'), 'utf8'));
    expect(text).not.toContain(salt);

    await ends(run(['log', 'verify', '--proof', shown]), 0, {
      out: ['"secret":"s7"', /PASS: this is line 7 of 12 in etch/],
    });

    writeFileSync(shown, JSON.stringify({ ...proof, number: 8 }));
    await ends(run(['log', 'verify', '--proof', shown]), 1, { err: 'line 8' });
    writeFileSync(shown, JSON.stringify(proof));
    await ends(run(['log', 'verify', '--proof', shown, '--etch', etches[1].id]), 1, {
      out: 'root or number of lines differ',
    });
  });

  test.each([
    [
      'a line that is not anchored',
      ['prove', '--line', '13'],
      66,
      /line 13 of .* is not anchored: the last anchored state has 12 lines/,
    ],
    ['line 0', ['prove', '--line', '0'], 64, /whole number from 1/],
    ['neither log nor proof', ['verify'], 64, /name a log, or give --proof/],
  ])('rejects %s', async (_, [command, ...more], status, message) => {
    await ends(run(['log', command!, ...(command === 'prove' ? [copy] : []), ...more]), status, {
      err: message,
    });
  });

  test.runIf(hasPython)('docs/verify_log.py checks the log from files alone', async () => {
    const receipts = etches.map(({ id }) => join(copy, '..', `${id}.json`));
    for (const [at, path] of receipts.entries())
      expect(await run(['receipt', etches[at].id, '--out', path])).toMatchObject({ status: 0 });
    const script = join(import.meta.dirname, '../../../docs/verify_log.py');
    const check = () =>
      spawnSync('python3', ['-B', script, copy, `${copy}.svc-log/state.json`, ...receipts], {
        encoding: 'utf8',
      });
    expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('PASS: 3 anchored states') });
    edit((text) => text.replace('"s7"', '"s0"'));
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('lines 6 to 11') });
    receipts.shift();
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('is missing') });
  });

  test.runIf(hasPython)('docs/verify_log.py checks a shown line from two files', async () => {
    const [shown, receipt] = [join(copy, '../line.json'), join(copy, '../receipt.json')];
    const script = join(import.meta.dirname, '../../../docs/verify_log.py');
    const check = () => spawnSync('python3', ['-B', script, '--proof', shown, receipt], { encoding: 'utf8' });
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

  test('proves no line of a changed log', async () => {
    edit((text) => text.replace('"s7"', '"s0"'));
    await ends(run(['log', 'prove', copy, '--line', '2']), 1, { out: '', err: 'svc log verify' });
  });
});

test('rejects a folder, a missing file, a damaged state and a log without one', async () => {
  const folder = folderOf({ a: 'one\n', 'b.svc-log/state.json': '{}', b: 'one\n' });
  const refused = async (args: string[]) => {
    const ran = await ends(run(args), 66, { out: '' });
    return ran.err;
  };
  expect(await refused(['log', 'anchor', folder])).toContain('is not a file');
  expect(await refused(['log', 'anchor', join(folder, 'c')])).toContain('ENOENT');
  expect(await refused(['log', 'anchor', join(folder, 'b')])).toContain(
    'is not a file that svc log anchor wrote',
  );
  expect(await refused(['log', 'verify', join(folder, 'a')])).toContain('anchor the log first');
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
  expect(await run(['log', 'prove', log, '--line', '1'])).toMatchObject({ status: 0 });
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
  expect(existsSync(join(`${log}.svc-log`, 'state.json'))).toBe(false);
});

test('the session hook of docs/agents.md anchors a transcript', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/agents.md'), 'utf8');
  const settings = /```json\n(\{\n {2}"hooks"[^]*?)```/.exec(page)![1]!;
  const { command } = JSON.parse(settings).hooks.SessionEnd[0].hooks[0];
  const transcript = join(folderOf({ 'a run.jsonl': '{"step":1}\n' }), 'a run.jsonl');
  const clone = join(import.meta.dirname, '../../..');
  const ran = await promisify(execFile)('bash', ['-c', `printf %s "$INPUT" | { ${command}; }`], {
    env: {
      ...{ HOME: home, XDG_CONFIG_HOME: home, SVC_BASE_URL: service.url },
      PATH: `${clone}:${process.env['PATH']}`,
      INPUT: JSON.stringify({ session_id: 'x', transcript_path: transcript, hook_event_name: 'SessionEnd' }),
    },
  });
  expect(ran.stdout).toContain('lines=1');
});
