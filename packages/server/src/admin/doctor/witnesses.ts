import { seenCheckpoint } from '../../proofs/log/ask-witness.ts';
import { logOrigin } from '../../proofs/log/tree-log.ts';
import type { Config } from '../../settings/config.ts';
import { type Finding, ok, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;

export async function checkWitnesses({ witnessPolicy, baseUrl }: Config): Promise<Finding> {
  const witnesses = witnessPolicy?.witnesses ?? [];
  if (witnesses.length === 0 || baseUrl === undefined) return ok('WITNESS_POLICY names no witness');
  const faults = await Promise.all(
    witnesses.map(async (witness) => {
      const seen = await seenCheckpoint(witness, logOrigin(baseUrl), TIMEOUT_MS);
      return typeof seen === 'string' ? [`${witness.name}: ${seen}`] : [];
    }),
  );
  const faulty = faults.flat();
  if (faulty.length === 0) return ok('each witness of WITNESS_POLICY answers');
  return warn(
    faulty.join('; '),
    'correct its URL in WITNESS_POLICY, or ask its operator; /status names its fault',
  );
}
