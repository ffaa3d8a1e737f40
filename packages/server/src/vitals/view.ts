import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { StatusData } from '@svc/web';
import { toTime } from '../db/clock.ts';
import { BUILD } from '../settings/version.ts';
import type { Vitals } from './vitals.ts';

const LOW_DAYS = 7;
/** If other parts fail, the service is late, but works. */
const VITAL = new Set(['database', 'clock']);

/** Shows no reasons, which may contain a provider's words. */
export function statusView(
  { parts, anchoring, confirming, lastBatch, relayer, counts, witnesses, log }: Vitals,
  now: number,
): StatusData {
  const down = parts.filter(({ ok }) => !ok).map(({ name }) => name);
  const health = relayerHealth(relayer);
  // The attestation could no longer confirm the stated time.
  const late =
    anchoring !== null &&
    (anchoring.failingSince !== null ||
      (anchoring.oldestPendingSeconds ?? 0) * 1000 > LATE_AFTER_MILLISECONDS);
  const unavailable = anchoring === null || down.some((name) => VITAL.has(name));
  return {
    status: unavailable
      ? 'unavailable'
      : late || down.includes('chain') || health === 'empty'
        ? 'delayed'
        : 'operational',
    ...BUILD,
    checked_at: toTime(now),
    parts: parts.map(({ name, ok }) => ({ name, ok })),
    anchoring: anchoring && {
      pending: anchoring.pending,
      oldest_pending_seconds:
        anchoring.oldestPendingSeconds === null ? null : Math.round(anchoring.oldestPendingSeconds),
      open_transactions: anchoring.openTransactions,
      confirming,
      failing_since: anchoring.failingSince,
    },
    last_batch: lastBatch && {
      root: lastBatch.root,
      kind: lastBatch.kind,
      tree_version: lastBatch.tree_version,
      tree_size: lastBatch.tree_size,
      attestation_uid: lastBatch.attestation_uid,
      tx_hash: lastBatch.tx_hash,
      anchored_at: lastBatch.anchored_at,
    },
    witnesses:
      witnesses &&
      witnesses.map(({ name, behindSeconds, fault }) => ({
        ...{ name, behind_seconds: Math.floor(behindSeconds), fault },
      })),
    log,
    operator_acts: counts && counts.operatorActs,
    relayer: {
      address: relayer.address,
      health,
      balance: relayer.balance === null ? null : coinText(relayer.balance),
      attested_before: counts && counts.attestedBefore,
      days_left: relayer.daysLeft === null ? null : Math.floor(relayer.daysLeft),
    },
  };
}

function relayerHealth({ balance, daysLeft }: Vitals['relayer']): StatusData['relayer']['health'] {
  if (balance === null) return 'unknown';
  if (balance === 0n) return 'empty';
  return daysLeft !== null && daysLeft < LOW_DAYS ? 'low' : 'ok';
}

function coinText(wei: bigint): string {
  const digits = (wei / 10n ** 12n).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
