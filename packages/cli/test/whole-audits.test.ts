import { packLeaves } from '@svc/protocol';
import { ApiError } from '@svc/sdk';
import type { LeafParts, OnchainAttestation, RecordedEtch } from '@svc/verifier';
import { expect, test } from 'vitest';
import { auditAccounts } from '../src/audit/audit-accounts.ts';
import { type AuditJob, emptyChainSide, resultOf } from '../src/audit/job.ts';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

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
    origin: 'http://svc.test',
    findEtch: (hash: string) => {
      const etch = record.find((one) => one.hash === hash);
      return etch === undefined ? Promise.reject(absent()) : Promise.resolve(etch);
    },
    treeLeaves: (root: string, kind: 0 | 1, version: 1 | 2) => {
      const leaves = trees.find((tree) => tree.root === root && tree.kind === kind)?.leaves;
      return leaves ? Promise.resolve(packLeaves(version, leaves)) : Promise.reject(absent());
    },
    record: () => ({
      async *pages() {
        yield await Promise.resolve({ etches: record, counts: { total: record.length } });
      },
    }),
  };
  return {
    client: client as unknown as AuditJob['client'],
    trust: trustOf({ trust }),
    parallel: 2,
    progress: { show: () => undefined, clear: () => undefined },
    reader: {
      head: () => Promise.resolve(attestations.length - 1),
      firstBlock: () => Promise.resolve(0),
      async *attested(from, to) {
        for (let block = from; block <= to; block++) {
          const { uid, attester } = attestations[block]!;
          yield await Promise.resolve({ from: block, to: block, logs: [{ uid, attester, block }] });
        }
      },
      attestations: (logs) =>
        Promise.resolve(
          logs.map(({ uid }) => {
            const { revocation_time: revocationTime, ...rest } = attestations.find((one) => one.uid === uid)!;
            return { ...rest, revocationTime };
          }),
        ),
    },
  };
}

// A fault is checked again some seconds later, so the cases run in parallel.
test.concurrent.each(cases.map((one): [string, Case] => [one.about, one]))(
  '%s has the verdict that the vector names',
  async (_, one) => {
    const findings = await auditAccounts(jobOf(one), [account], emptyChainSide(0));
    expect(resultOf(findings)).toBe(one.expect);
  },
  60_000,
);
