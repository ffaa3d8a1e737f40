import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import type { Json } from '../../../testing/json.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { saveIndexState } from '../src/audit/index-state.ts';
import { policyOf } from './support/index-witness.ts';
import { forgedKey, signed, useIndexProxy } from './support/index-proxy.ts';
import * as tlog from '@svc/protocol/tlog';

// The proxy is a dishonest operator: `forge` adds an index entry of its choice to the real log.
const service = useSharedService();
const at = useIndexProxy(service);
const FAIL = 'FAIL: something is left out or different, or the index contradicts itself or its past.';
let entries: string[];
beforeAll(async () => {
  await at.etch('In a later tree.');
  await at.logged(3);
  ({ entries } = await at.answer());
});
const logIndexOf = (entry: string) => Number.parseInt(entry.slice(0, 16), 16);

test('fails for an etch that the record leaves out', async () => {
  const { audit } = await at.reader();
  at.change = (path, body) =>
    path.includes('/etches') && body.etches ? { ...body, etches: body.etches.slice(1) } : body;
  await ends(audit(), 1, {
    out: /missing: [0-9a-f]{64}: the tree at the log index \d+ holds it for this account/,
    last: FAIL,
  });
});

test('fails for a row of the record with another hash than its entry', async () => {
  const { audit } = await at.reader();
  const hash = 'ab'.repeat(32);
  at.change = (path, body) =>
    path.includes('/etches') && body.etches
      ? { ...body, etches: [{ ...body.etches[0], hash }, ...body.etches.slice(1)] }
      : body;
  await ends(audit(), 1, {
    out: [
      `(${hash}): its words do not make its hash`,
      /missing: [0-9a-f]{64}: the tree at the log index \d+ holds it for this account/,
    ],
    last: FAIL,
  });
});

test('fails for an attested etch that the index leaves out', async () => {
  const { audit } = await at.reader({ isForger: true });
  await at.forge({ entries });
  await ends(audit(), 2, { out: '3 of 3 attested etches of the index shown' });
  const second = await at.reader({ isForger: true });
  await at.forge({ entries: entries.slice(0, 2) });
  const proof = /^\/log\/proof\//;
  at.refused = { path: proof, status: 503, body: '' };
  await ends(second.audit(), 2, { out: 'the index leaves it out, and its proof of the log cannot be read' });
  at.refused = { path: proof, status: 404, body: '' };
  await ends(second.audit(), 2, { out: 'etches that are newer than the checkpoint: 1' });
  at.refused = undefined;
  await ends(second.audit(), 1, {
    out: `its tree has the log index ${logIndexOf(entries[2]!)}, and the index of accounts leaves the etch out`,
    last: FAIL,
  });
});

test('fails by its kept state for an etch that record and index leave out together', async () => {
  const { audit } = await at.reader({ isForger: true });
  await at.forge({ entries });
  await ends(audit(), 2);
  await at.forge({ entries: entries.slice(0, 2), isLater: true });
  const hash = entries[2]!.slice(18);
  at.change = (path, body) =>
    path.includes('/etches') && body.etches
      ? { ...body, etches: body.etches.filter((etch: Json) => etch.hash !== hash) }
      : body;
  await ends(audit(), 1, { out: 'the account has 2 entries, and had 3: entries are missing', last: FAIL });
  await at.forge({ entries: [...entries.slice(0, 2), entries[1]!], isLater: true });
  await ends(audit('--fresh'), 1, { out: 'the first 3 entries are not those of an earlier reading' });
});

test('fails for a fork, with both checkpoints, and for an older checkpoint', async () => {
  const { audit } = await at.reader({ isForger: true });
  await at.forge({ entries });
  const kept = at.forged!;
  await ends(audit(), 2);
  await at.forge({ entries, changed: [0, new Uint8Array(128)] });
  await ends(audit(), 1, { out: /the log is forked: its first \d+ entries do not make/ });
  expect((await jsonOf(audit('--json'), 1)).checkpoints).toHaveLength(2);
  const { origin, size } = tlog.parseCheckpoint(kept.answer.checkpoint);
  const older = tlog.checkpointText({ origin, size: size - 1, root: new Uint8Array(32) });
  at.forged = { ...kept, answer: { ...kept.answer, checkpoint: signed(older) } };
  await ends(audit(), 1, {
    out: /and an earlier audit kept one with \d+: it is older, or entries are missing/,
  });
});

test('the checkpoint of another log in the policy proves nothing about the service', async () => {
  const { audit, run, state, logKey } = await at.reader();
  await ends(audit(), 2, { out: '3 of 3 attested etches' });
  const kept = readFileSync(state(), 'utf8');
  const other = 'other.example/log';
  const policy = policyOf(`${logKey()}\nlog ${forgedKey(other)}`, 'none');
  await at.forge({ entries: entries.slice(0, 2), origin: other });
  const refused = { out: new RegExp(`the checkpoint is of the log ${other}, not of \\S+/log:`) };
  await ends(audit('--policy', policy), 2, refused);
  expect(readFileSync(state(), 'utf8')).toBe(kept);
  const path = join(newFolder('record'), 'record.json');
  await ends(run('record', at.username, '--out', path), 0);
  await ends(run('verify', path, '--policy', policy, '--offline'), 2, refused);
  // Nothing is pinned, and the policy has no log of this host.
  const { username } = at;
  await ends(at.account.run(['audit', username, '--index', '--base-url', at.url, '--policy', policy]), 64, {
    err: /the policy has no log 127\.0\.0\.1:\d+\/log: run svc trust/,
  });
});

test('rejects the state of another account or log, and leaves its file alone', async () => {
  const { audit, state } = await at.reader();
  await ends(audit(), 2);
  const path = state();
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const keep = (change: Json) => {
    const changed = { ...file.state, ...change };
    saveIndexState(path, changed);
    return readFileSync(path, 'utf8');
  };
  const { origin } = tlog.parseCheckpoint(file.state.note);
  const other = file.state.note.replaceAll(origin, 'other.example/log');
  for (const [change, err] of [
    [{ user_id: '00000000-0000-4000-8000-000000000000' }, 'is of the account 00000000-0000'],
    [{ note: other }, 'is of the log other.example/log'],
  ] as const) {
    const before = keep(change);
    await ends(audit(), 64, { err: [path, err] });
    expect(readFileSync(path, 'utf8')).toBe(before);
  }
});

test('fails for entries out of order, and for an index entry or path that does not fit', async () => {
  const { audit } = await at.reader({ isForger: true });
  await at.forge({ entries: entries.toReversed() });
  await ends(audit(), 1, { out: 'the log indexes of the entries fall: they are out of order' });
  await at.forge({ entries });
  const kept = at.forged!;
  const faulty = async (changed: Json, out: string) => {
    at.forged = { ...kept, answer: { ...kept.answer, ...changed } };
    await ends(audit(), 1, { out: `FAIL  the index of accounts: ${out}`, last: FAIL });
  };
  const { index } = kept.answer;
  await faulty({ index: { ...index, data: '0'.repeat(256) } }, 'index.data is not an index entry');
  await faulty({ index: { ...index, proof: [] } }, 'index.proof does not lead from index.data');
  await faulty({ path: [{ bit: 1, hash: '0'.repeat(64) }] }, 'count, account_root and path do not lead');
});

test('reads the trees behind the index leaf by leaf', async () => {
  const { audit } = await at.reader({ isForger: true });
  const covered = logIndexOf(entries[2]!);
  await at.forge({ entries: entries.slice(0, 2), covered });
  await ends(audit(), 2, { out: ['3 of 3 attested etches', /and \d+ trees? after it w/] });
  at.refused = { path: /^\/log\/leaves\//, status: 404, body: '' };
  await ends(audit(), 2, { out: `does not have the leaves of the tree at the log index ${covered}` });
  // The tree may have leaves of other test files too.
  const { byteLength } = await (await fetch(`${service.url}/log/leaves/${covered}`)).arrayBuffer();
  // Two equal leaves would be another fault.
  const random = randomBytes(byteLength).toString('hex').slice(0, byteLength);
  at.refused = { path: /^\/log\/leaves\//, status: 200, body: random };
  await ends(audit(), 1, { out: `the tree at the log index ${covered}: its leaves fold to` });
});

test('waits, and says why, when the index cannot be read', async () => {
  const { audit } = await at.reader();
  const index = /^\/log\/index\//;
  const refuse = async (status: number, message: string, out: string) => {
    at.refused = { path: index, status, body: JSON.stringify({ error: { message } }) };
    await ends(audit(), 2, { out });
  };
  await refuse(
    404,
    'the log has no index of accounts yet',
    'status 404 (the log has no index of accounts yet); audit without --index',
  );
  at.refused = { path: index, status: 200, body: 'x' };
  await ends(audit(), 2, { out: 'is malformed: it is not JSON' });
  at.refused = undefined;
  at.changeIndex((body) => ({ ...body, count: 'x' }));
  await ends(audit(), 2, { out: /the answer of \S+ is malformed: count .*; report it to the operator/ });
  at.changeIndex(({ checkpoint, ...body }) => ({
    ...body,
    checkpoint: signed(tlog.parseCheckpoint(checkpoint).text),
  }));
  await ends(audit(), 2, { out: 'the pinned key of the log did not sign its checkpoint' });
});

test('each command says in plain words that the index is being rebuilt, and when to try again', async () => {
  const { audit, run } = await at.reader();
  const { etches } = await at.account.json(['record', at.username]);
  const said =
    'answers status 503 (the index is being rebuilt); this says nothing about the record: try again in 10 seconds';
  const body = JSON.stringify({ error: { message: 'the index is being rebuilt' } });
  at.refused = { path: /^\/log\/index\//, status: 503, body, headers: { 'retry-after': '10' } };
  await ends(audit(), 2, { out: said });
  await ends(run('record', at.username, '--out', join(newFolder('record'), 'record.json')), 2, { err: said });
  await ends(run('receipt', etches[0].id, '--index'), 2, { err: said });
});

test('starts again when the checkpoint changes between pages, five times', async () => {
  const { audit } = await at.reader({ isForger: true });
  at.changeIndex(({ checkpoint, ...body }, path) => {
    const { origin, size, root } = tlog.parseCheckpoint(checkpoint);
    const isFirst = !path.includes('from=');
    const text = tlog.checkpointText({ origin, size: size + (isFirst ? 0 : 1), root });
    const page = isFirst ? { entries: body.entries.slice(0, 1), more: true } : {};
    return { ...body, ...page, checkpoint: signed(text) };
  });
  at.asked = [];
  await ends(audit(), 2, { out: 'its checkpoint changed during each of 5 readings' });
  expect(at.asked.filter((path) => path.endsWith('from=1'))).toHaveLength(5);
});

test('rejects a damaged state, and names the file', async () => {
  const { audit, state } = await at.reader();
  await ends(audit(), 2);
  for (const damaged of ['{}', '[]', 'x']) {
    writeFileSync(state(), damaged);
    await ends(audit(), 64, { err: state() });
  }
});

test('svc audit --all recomputes each index root, and fails for an etch that the index leaves out', async () => {
  const honest = await at.reader();
  const { log } = await jsonOf(honest.run('audit', '--all', '--json'), 0);
  expect(log.notes.join()).toMatch(
    /recomputed from all leaves: \d+ index entr(?:y|ies) since the last audit right/,
  );
  const { run } = await at.reader({ isForger: true });
  await at.forge({ entries: entries.slice(0, 2) });
  await ends(run('audit', '--all'), 1, {
    out: /its index entry \d+ has the root [0-9a-f]{64}, and the leaves of the trees before it make [0-9a-f]{64}/,
    last: 'FAIL: the log of trees contradicts the chain, its leaves or its own past.',
  });
});
