import { type ChainReader, type Verification, verifyReceipt } from '@svc/verifier';
import { patientRpcChain } from '@svc/verifier/evidence';
import type { TimestampCheck } from '@svc/timestamp';
import type { OtsCheck } from '@svc/timestamp/ots';
import { type Endpoint, RPC_PATIENCE_MS } from '../find-trust.ts';
import { type JudgedEvidence, judgeEvidence } from '../judge-evidence.ts';
import { judgeLog, type LogCheck } from '../judge-log.ts';
import { judgeOts } from '../judge-ots.ts';
import { judgeTimestamps } from '../judge-timestamps.ts';
import type { LoadedReceipt } from './load.ts';
import type { VerifyOptions } from './options.ts';
import type { Trusted } from './trust.ts';

export interface Checked {
  verification: Verification;
  evidence: JudgedEvidence | null;
  timestamp: TimestampCheck | null;
  ots: OtsCheck | null;
  log: LogCheck | null;
}

export async function check(
  loaded: LoadedReceipt,
  { chosen, endpoint }: Trusted,
  options: VerifyOptions,
): Promise<Checked> {
  const { receipt, evidence } = loaded;
  const log = await judgeLog(loaded, options);
  if (evidence === null) {
    const verification = await verifyReceipt(receipt, chosen.trust, readerOf(endpoint, options));
    return { verification, evidence: null, timestamp: null, ots: null, log };
  }
  const judged = await judgeEvidence(evidence, chosen.trust, options);
  return {
    verification: judged.verification,
    evidence: judged,
    timestamp: await judgeTimestamps(evidence, options),
    ots: await judgeOts(evidence, options),
    log,
  };
}

function readerOf({ urls }: Endpoint, { offline, rpc }: VerifyOptions): ChainReader {
  if (urls.length > 0) return patientRpcChain({ urls, patienceMs: rpc.length > 0 ? RPC_PATIENCE_MS : 0 });
  const reason = offline ? 'this is --offline' : 'no endpoint is known';
  return { attestation: () => Promise.resolve({ kind: 'unreachable', reason } as const) };
}
