// The data of /status.
import type { Batch } from '@svc/contract';

interface Confirming {
  transactions: number;
  /** null: the chain did not answer */
  seen: number | null;
  needed: number | 'safe';
}

interface Witness {
  name: string;
  behind_seconds: number;
  fault: string | null;
}

export interface StatusDay {
  /** UTC */
  day: string;
  /** etches and retractions of the trees that were anchored on this day */
  anchored: number;
  /** of these trees, from the newest text in it to its block; null if there is no tree */
  slowest_seconds: number | null;
}

export interface StatusData {
  status: 'operational' | 'delayed' | 'unavailable';
  version: string;
  commit: string | null;
  schema: number;
  checked_at: string;
  parts: readonly { name: string; ok: boolean }[];
  anchoring: {
    pending: number;
    oldest_pending_seconds: number | null;
    open_transactions: number;
    confirming: Confirming | null;
    failing_since: string | null;
    /** the chain is searched for attestations that the database does not know */
    catching_up: boolean;
  } | null;
  last_batch: Batch | null;
  /** today last; null while the database does not answer */
  days: readonly StatusDay[] | null;
  /** of the log of trees; null while the database does not answer */
  witnesses: readonly Witness[] | null;
  log: {
    /** why it signs no checkpoint, or none past some tree */
    held: string | null;
    /** why it has no new index entries */
    index_held: string | null;
  } | null;
  operator_acts: Readonly<Record<string, number>> | null;
  relayer: {
    address: string;
    health: 'ok' | 'low' | 'empty' | 'unknown';
    /** in whole coins of the chain */
    balance: string | null;
    days_left: number | null;
    /** whether it attested before this database began; null while the database does not answer */
    attested_before: boolean | null;
  };
}
