import { packLeaves } from '@svc/protocol';
import { ApiError } from '@svc/sdk';
import type { LeafParts, OnchainAttestation, RecordedEtch } from '@svc/verifier';
import { expect, test } from 'vitest';
import { auditAccounts } from '../src/audit/audit-accounts.ts';
import { type AuditJob, emptyChainSide, resultOf } from '../src/audit/job.ts';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { auditJob } from './support/audit-job.ts';

interface Case {
  about: string;
  expect: 'pass' | 'fail' | 'wait';
  attestations: (Omit<OnchainAttestation, 'revocationTime'> & { revocation_time: number })[];
  /** null leaves: the service does not return them */
  trees: { root: string; kind: 0 | 1; tree_version: 1 | 2; leaves: LeafParts[] | null }[];
  record: RecordedEtch[];
}
const { cases, account, trust } = readVector('valid/audits') as {
  cases: Case[];
  account: { user_id: string; username: string };
  trust: Parameters<typeof trustOf>[0]['trust'];
};
const absent = () => new ApiError('absent', { code: 'not_found', status: 404 });

function jobOf({ attestations, trees, record }: Case): AuditJob {
  const client = {
    findEtch: async (hash: string) => {
      const etch = record.find((one) => one.hash === hash);
      if (etch === undefined) throw absent();
      return etch;
    },
    treeLeaves: async (root: string, kind: 0 | 1, version: 1 | 2) => {
      const leaves = trees.find((tree) => tree.root === root && tree.kind === kind)?.leaves;
      if (!leaves) throw absent();
      return packLeaves(version, leaves);
    },
    record: () => ({
      async *pages() {
        yield await Promise.resolve({ etches: record, counts: { total: record.length } });
      },
    }),
  };
  const onChain = attestations.map(({ revocation_time: revocationTime, ...one }) => ({
    ...one,
    revocationTime,
  }));
  return auditJob(client, trustOf({ trust }), () => onChain);
}

test('every case has the verdict that the vector names', async () => {
  // A fault is checked again some seconds later, so the cases run at once.
  const verdicts = cases.map(async (one): Promise<[string, string]> => [
    one.about,
    resultOf(await auditAccounts(jobOf(one), [account], emptyChainSide(0))),
  ]);
  expect(Object.fromEntries(await Promise.all(verdicts))).toEqual(
    Object.fromEntries(cases.map((one) => [one.about, one.expect])),
  );
});
