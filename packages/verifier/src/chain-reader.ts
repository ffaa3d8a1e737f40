import type { Trust } from './trust.ts';

/** Hex has `0x`, times are whole seconds since 1970. */
export interface OnchainAttestation {
  uid: string;
  schema: string;
  attester: string;
  time: number;
  /** 0: not revoked */
  revocationTime: number;
  data: string;
}

/** null: the endpoint does not know the uid. */
export type ChainAnswer =
  | { kind: 'read'; chainId: number; attestation: OnchainAttestation | null }
  | { kind: 'unreachable'; reason: string };

/** Must not name a secret endpoint. */
export interface ChainReader {
  attestation(contract: string, uid: string, chainId: number): Promise<ChainAnswer>;
}

export type Reading =
  | { state: 'pending' }
  | { state: 'read'; attestation: OnchainAttestation }
  | { state: 'unknown' }
  | { state: 'unreachable'; reason: string };

/**
 * Every failure is `unreachable` and proves nothing about the etch.
 * @param uid null when the etch has none yet
 */
export async function readAttestation(
  reader: ChainReader,
  trust: Trust,
  uid: string | null,
): Promise<Reading> {
  if (uid === null) return { state: 'pending' };
  const unreachable = (reason: string): Reading => ({ state: 'unreachable', reason });
  try {
    const answer = await reader.attestation(trust.contract, uid, trust.chainId);
    if (answer.kind !== 'read') return unreachable(answer.reason);
    if (answer.chainId !== trust.chainId)
      return unreachable(`the endpoint is of chain ${answer.chainId}, not ${trust.chainId}`);
    if (answer.attestation === null) return { state: 'unknown' };
    const attestation = normalize(answer.attestation);
    if (attestation === null) return unreachable('the answer is not an attestation');
    return attestation.uid === uid.toLowerCase()
      ? { state: 'read', attestation }
      : unreachable('the answer is not the requested attestation');
  } catch {
    return unreachable('the chain reader failed');
  }
}

function normalize(found: OnchainAttestation): OnchainAttestation | null {
  const { time, revocationTime } = found;
  const [uid, schema, attester, data] = [found.uid, found.schema, found.attester, found.data].map((hex) =>
    hex.toLowerCase(),
  ) as [string, string, string, string];
  const wellFormed =
    [uid, schema].every((value) => /^0x[0-9a-f]{64}$/.test(value)) &&
    /^0x[0-9a-f]{40}$/.test(attester) &&
    /^0x(?:[0-9a-f]{2})*$/.test(data) &&
    isSeconds(time) &&
    (revocationTime === 0 || (isSeconds(revocationTime) && revocationTime >= time));
  return wellFormed ? { uid, schema, attester, time, revocationTime, data } : null;
}

/** Up to the year 9999. */
const isSeconds = (value: number) => Number.isSafeInteger(value) && value > 0 && value < 253_402_300_800;
