// Runs in the soak only.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { svc } from '../testing/clients/svc.ts';
import { attestAgain } from '../testing/ledger/tampering.ts';
import { eventually } from '../testing/wait.ts';
import { changedRows } from './audit/changed-rows.ts';
import { asJson, useRecord } from './audit/record.ts';

// Every change behind the service, on the way or on the chain must be reported.
const record = useRecord();

test('passes a complete record and counts sealed and retracted etches', async () => {
  const ran = await record.audit([record.ada.username]);
  expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
  expect(ran.out).toContain(`${record.ada.username}: 8 of 8 leaves, 2 sealed, 1 retracted`);
  expect(ran.out).toContain('PASS: nothing is left out, and nothing was changed.');
  const unpinned = await svc(['audit', record.ada.username, '--base-url', record.world.url], {
    home: record.home,
  });
  expect(unpinned.status).toBe(2);
  expect(unpinned.out).not.toContain('PASS');
  expect(unpinned.out).toMatch(
    /relayer 0x[0-9a-f]{40} comes from the service, not from you; pin it with --relayer/,
  );
  expect(unpinned.out).toMatch(
    /\nWAIT: every check agrees, but it holds only if 0x[0-9a-f]{40} on chain \d+ is.*\n$/,
  );
  expect(existsSync(join(record.home, 'svc', 'trust.json')), 'an audit writes no pins').toBe(false);
  const told = asJson(await record.audit([record.ben.username, '--json', '--rpc', record.chain.rpcUrl]));
  expect(told).toMatchObject({ result: 'pass', accounts: [{ counts: { leaves: 4, shown: 4, sealed: 1 } }] });
  expect(told.trees.rebuilt).toBe(told.trees.attested);
});

test('passes the whole service', async () => {
  const told = asJson(await record.audit(['--all', '--json']));
  expect(told).toMatchObject({
    result: 'pass',
    audited_at: expect.stringMatching(/^2\d{3}-.*Z$/),
    accounts_named: 2,
    accounts_same: 2,
    accounts: [],
    unread: [],
  });
  expect(told.trees.leaves).toBe(record.wanted.length + 1); // and one tombstone
});

test('counts pending etches separately', async () => {
  const pinned = await record.audit([record.ada.username, '--relayer', `0x${'11'.repeat(20)}`, '--json']);
  expect(pinned.status, 'by nobody trusted').toBe(1);
  expect(new Set(asJson(pinned).accounts[0].faults.map(({ what }: any) => what))).toEqual(
    new Set(['not attested']),
  );
});

describe('with rows changed behind the service', () => changedRows(record));

describe.concurrent('with answers changed on their way', () => {
  test('names an etch that the record leaves out by its hash', async () => {
    const { id } = record.of(record.ben)[1]!;
    const liar = await record.lying((path, body) =>
      path.includes('/users/')
        ? { ...body, etches: body.etches.filter((etch: { id: string }) => etch.id !== id) }
        : undefined,
    );
    const { hash } = (await record.world.client.call('GET', `/api/v1/etches/${id}`)).body.etch;
    const [ran, whole] = await Promise.all([
      record.audit([record.ben.username, '--json'], liar.url),
      record.audit(['--all', '--json', '--state', join(record.home, 'left-out.json')], liar.url),
    ]);
    const [told, all] = [asJson(ran), asJson(whole)];
    expect(told.accounts[0]).toMatchObject({
      counts: { leaves: 4, shown: 3 },
      faults: [{ what: 'missing', hash }],
    });
    expect(all.accounts).toMatchObject([
      { username: record.ben.username, faults: [{ what: 'missing', hash }] },
    ]);
  });

  test('fails on a retracted etch that is shown as live', async () => {
    const { id } = record.of(record.ada)[0]!;
    const liar = await record.lying((path, body) => {
      if (!path.includes('/users/')) return undefined;
      for (const etch of body.etches)
        if (etch.id === id) {
          etch.status = 'revealed';
          for (const name of ['root', 'proof', 'tree_version']) etch.chain[`revocation_${name}`] = null;
        }
      return body;
    });
    const told = asJson(await record.audit([record.ada.username, '--json'], liar.url));
    expect(told.accounts[0].faults).toMatchObject([
      { what: 'altered', etch_id: id, detail: 'its status is revealed, and it has no canonical_string' },
      { what: 'not retracted', etch_id: id },
    ]);
  });

  test('fails on an account that is hidden altogether', async () => {
    const liar = await record.lying((path, body) => {
      const isHers = path.includes(record.ben.username) || body.etch?.author.user_id === record.ben.userId;
      return isHers ? { error: { code: 'not_found', message: 'no' } } : undefined;
    });
    const ran = await record.audit(['--all', '--state', join(record.home, 'hidden.json')], liar.url);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 1 });
    expect(ran.out).toContain(`${record.ben.userId}: missing`);
  });

  test('resumes an audit that was interrupted', async () => {
    const state = join(record.home, 'cut.json');
    const liar = await record.lying((path) => (path.includes('/users/') ? null : undefined));
    const cut = new AbortController();
    const running = svc(['audit', '--all', '--state', state, '--base-url', liar.url], {
      home: record.home,
      signal: cut.signal,
    });
    await eventually('records are asked for', () => liar.asked.some((path) => path.includes('/users/')));
    cut.abort();
    expect((await running).status).toBeNull();
    expect(existsSync(state)).toBe(true);
    liar.lie = () => undefined;
    liar.asked.length = 0;
    const ran = await record.audit(['--all', '--state', state], liar.url);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.err).toContain('continuing the audit');
    expect(liar.asked.filter((path) => path.includes('/batches/'))).toEqual([]);

    // The next audit requests a sample of what was kept and detects changes in it.
    liar.asked.length = 0;
    const again = await record.audit(['--all', '--state', state], liar.url);
    expect(again, again.out + again.err).toMatchObject({ status: 0 });
    expect(liar.asked.filter((path) => path.includes('/batches/'))).toHaveLength(1);
    expect(again.out).toMatch(
      /reused from audits since .*; random samples of 1 tree and 2 accounts were checked again/,
    );
    expect(again.out).toContain('\nPASS: nothing is left out, and nothing was changed; reused results');
    liar.lie = (path, body) => (path.includes('/users/') ? { ...body, etches: [] } : undefined);
    const hidden = await record.audit(['--all', '--state', state], liar.url);
    expect(hidden, hidden.out + hidden.err).toMatchObject({ status: 1 });
    expect(hidden.out).toContain('no longer agree: everything was audited again');
    expect(existsSync(state)).toBe(false);
  });
});

describe('with other attesters on the chain', () => {
  test('ignores and reports a stranger’s attestation', async () => {
    const before = asJson(await record.audit([record.ada.username, '--json'])).strangers;
    await attestAgain(record.world, record.chain, await record.chain.newRelayer());
    const ran = await record.audit([record.ada.username]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toMatch(/\d attestations? under the schema by untrusted attesters: ignored/);
    expect(asJson(await record.audit([record.ada.username, '--json'])).strangers).toBe(before + 1);
  });

  test('counts a tree that is attested twice once', async () => {
    await attestAgain(record.world, record.chain, record.relayer);
    const ran = await record.audit([record.ada.username]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toContain('8 of 8 leaves');
    expect(ran.out).toContain('1 tree attested more than once');
  });
});
