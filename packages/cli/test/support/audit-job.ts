import type { Client } from '@svc/sdk';
import type { OnchainAttestation, Trust } from '@svc/verifier';
import type { AuditJob } from '../../src/audit/job.ts';

/** The chain has one attestation in each block. `beforeHead` runs before its head is read. */
export const auditJob = (
  client: object,
  trust: Trust,
  onChain: () => readonly OnchainAttestation[],
  beforeHead: () => void = () => undefined,
): AuditJob => ({
  client: { origin: 'http://svc.test', ...client } as unknown as Client,
  trust,
  parallel: 2,
  progress: { show: () => undefined, clear: () => undefined },
  reader: {
    async head() {
      beforeHead();
      return onChain().length - 1;
    },
    firstBlock: async () => 0,
    async *attested(from, to) {
      for (let block = from; block <= to; block++) {
        const { uid, attester } = onChain()[block]!;
        yield await Promise.resolve({ from: block, to: block, logs: [{ uid, attester, block }] });
      }
    },
    attestations: async (logs) => logs.map(({ uid }) => onChain().find((one) => one.uid === uid)!),
  },
});
