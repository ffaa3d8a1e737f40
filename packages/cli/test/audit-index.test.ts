import { statSync } from 'node:fs';
import { bytesToHex, encodeAttestationData } from '@svc/protocol';
import { expect, test } from 'vitest';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { auditAccounts } from '../src/audit/audit-accounts.ts';
import { emptyChainSide } from '../src/audit/job.ts';
import { auditJob } from './support/audit-job.ts';
import { useIndexProxy } from './support/index-proxy.ts';
import { cosign, policyOf } from './support/index-witness.ts';

const at = useIndexProxy(useSharedService());
const BY_OPERATOR = "WAIT: complete by the operator's index; nobody whom you named has recomputed it.";

test('waits without a witness that recomputes the index, and reads only what is new', async () => {
  const { audit, run, state } = await at.reader();
  at.asked = [];
  await ends(audit(), 2, {
    out: [
      /^\S+: 2 of 2 attested etches of the index shown/,
      '2 new entries read',
      'were read from the chain',
    ],
    last: BY_OPERATOR,
  });
  expect(at.asked.filter((path) => /^\/(api\/v1\/batches|log\/(tile|leaves))/.test(path))).toEqual([]);
  expect(statSync(state()).mode & 0o777).toBe(0o600);
  await at.etch('A third.');
  await at.logged(3);
  at.asked = [];
  const { index, result, account } = await jsonOf(audit('--json'), 2);
  expect({ index, result, account }).toMatchObject({
    result: 'wait',
    index: { entries: 3, entries_read: 1, recomputed_by: [] },
    account: { faults: [], counts: { leaves: 3, shown: 3 } },
  });
  expect(at.asked).toContain(`/log/index/${at.userId}?from=2`);
  expect((await jsonOf(audit('--json', '--fresh'), 2)).index.entries_read).toBe(3);
  await ends(run('audit', at.username), 0);
});

test('passes by a policy whose named witness cosigned, and waits until it has', async () => {
  const { audit, logKey } = await at.reader();
  const policy = policyOf(logKey());
  const named = ['--policy', policy, '--index-witness', 'checker'];
  await ends(audit(...named), 2, {
    out: ['the quorum of your policy has not cosigned', 'checker recomputes the index and has not cosigned'],
  });
  at.changeIndex((body) => ({ ...body, checkpoint: cosign(body.checkpoint) }));
  await ends(audit(...named), 0, {
    out: 'the witness checker recomputed the index, by your word',
    last: /^PASS: the record has every etch of the log up to 20\S+Z, by the index, which a witness/,
  });
  expect((await jsonOf(audit(...named, '--json'), 0)).index.up_to).toMatch(/^20\S+Z$/);
  const untimed = ['--policy', policyOf(logKey(), 'none'), '--index-witness', 'checker'];
  await ends(audit(...untimed), 0, { last: /^PASS: the record has every etch of the log up to 20\S+Z, / });
  await ends(audit('--policy', policy), 2, {
    last: /^WAIT: complete up to 20\S+Z by the operator's index; /,
  });
  at.changeIndex((body) => ({
    ...body,
    checkpoint: cosign(body.checkpoint).replace(/.{8}\n$/, 'AAAAAA==\n'),
  }));
  await ends(audit(...named), 1, { out: 'the cosignature of the witness checker is wrong' });
});

test('says that the times were not checked without an endpoint of the chain', async () => {
  const { audit } = await at.reader();
  at.change = (path, body) =>
    path === '/.well-known/svc.json' ? { ...body, chain: { ...body.chain, rpc_url: null } } : body;
  await ends(audit(), 2, {
    out: 'no endpoint of the chain is known, so the times of the etches were not checked',
  });
});

test('proves the retraction of an etch, and an account without etches', async () => {
  const { audit, run } = await at.reader();
  const { etch } = await at.etch('Retracted.');
  await ends(at.account.run(['retract', etch.id, '--yes']), 0);
  await at.logged(5);
  await ends(audit(), 2, { out: /4 of 4 attested etches of the index shown, 0 sealed, 1 retracted/ });
  const { user } = await jsonOf(run('register', '--json'));
  await ends(run('audit', user.username, '--index'), 2, { out: '0 of 0 attested etches', last: BY_OPERATOR });
});

test('rejects options that do not fit', async () => {
  const { run, audit, logKey } = await at.reader();
  const policy = policyOf(logKey(), 'none');
  const wrong = (args: string[], err: string) => ends(run('audit', ...args), 64, { err, out: '' });
  await wrong(['--all', '--index'], '--index requires one account');
  await wrong([at.username, '--policy', policy], '--index requires one account');
  await ends(audit('--index-witness', 'checker'), 64, { err: '--index-witness requires --policy' });
  await ends(audit('--policy', policy, '--index-witness', 'x'), 64, {
    err: /no witness of this name; it has: checker/,
  });
});

test.each([
  [41, []],
  [42, ['this audit reads 20 MB of leaves; `svc audit ada --index` reads only the entries of the account']],
])(
  'plain svc audit suggests the index before it reads more than 20 MB (%i trees)',
  async (count, expected) => {
    const trust = { chainId: 1, contract: '0x1', schemaUid: '0x2', relayers: ['0x3'] };
    const attestations = Array.from({ length: count }, (_, at) => {
      const tree = { root: Buffer.alloc(32, at + 1), kind: 0, treeVersion: 2, treeSize: 10_000 } as const;
      const data = `0x${bytesToHex(encodeAttestationData(tree))}`;
      return { uid: `0x${at}`, schema: '0x2', attester: '0x3', time: 1, revocationTime: 0, data };
    });
    const end = new Error('the first tree is read');
    const treeLeaves = () => Promise.reject(end);
    const notes: string[] = [];
    const job = {
      ...auditJob({ treeLeaves }, trust, () => attestations),
      note: (text: string) => notes.push(text),
    };
    const ada = { username: 'ada', user_id: at.userId };
    await expect(auditAccounts(job, [ada], emptyChainSide(0))).rejects.toBe(end);
    expect(notes).toEqual(expected);
  },
);
