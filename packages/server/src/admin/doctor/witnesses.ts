import { asObject, ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';
import { seenCheckpoint } from '../../proofs/log/ask-witness.ts';
import { logOrigin } from '../../proofs/log/tree-log.ts';
import type { Config } from '../../settings/config.ts';
import { get } from './base-url.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

const TIMEOUT_MS = 5_000;

export async function checkWitnesses({
  witnessPolicy,
  baseUrl,
}: Pick<Config, 'witnessPolicy' | 'baseUrl'>): Promise<Finding> {
  const witnesses = witnessPolicy?.witnesses ?? [];
  const held = baseUrl === undefined ? undefined : await heldLog(baseUrl);
  if (held !== undefined)
    return fail(
      `the log of trees: ${held}`,
      'wait until restored trees are adopted; else restore a later backup, or set WITNESS_POLICY to witnesses that saw the log',
    );
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

/** The running service answers, because only one process can open the embedded database. */
async function heldLog(baseUrl: string): Promise<string | undefined> {
  try {
    const held = asObject((await get(`${baseUrl}/status`)).body?.['log'])?.['held'];
    return typeof held === 'string' ? held : undefined;
  } catch (error) {
    if (error instanceof ProviderUnreachable) return undefined; // the check of BASE_URL reports it
    throw error;
  }
}
