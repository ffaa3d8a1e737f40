// An etch as the database has it, and its status, which depends on the time of the read.
import type { TakedownReason } from '@svc/contract';
import type { AuthorColumns } from '../identity/caller.ts';

export interface EtchRow extends AuthorColumns {
  id: string;
  user_id: string;
  code: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed' | 'retracted';
  hash: Buffer;
  description: string;
  category_id: string;
  challenge_id: string | null;
  challenge_question: string | null;
  created_at: string;
  reveal_at: string | null;
  revealed_at: string | null;
  retracted_at: string | null;
  taken_down: TakedownReason | null;
  sealed: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;

  commitment: AttestedBatch | null;
  tombstone: AttestedBatch | null;
  failing_since: string | null;
}

export interface AttestedBatch {
  /** 0: one etch, no tree */
  tree_version: 0 | 1 | 2;
  root: Buffer;
  tree_size: number;
  proof: Buffer;
  uid: Buffer | null;
  anchored_at: string | null;
  tx_hash: Buffer | null;
  sender: Buffer;
}

export interface HiddenFields {
  content: string;
  salt: Buffer;
  signature: Buffer | null;
  signature_key: string | null;
}

/** docs/specification.md#status-of-an-etch */
export function statusAt(
  row: { status: 'sealed' | 'revealed' | 'retracted'; reveal_at: string | null },
  now: number,
): 'sealed' | 'revealed' | 'retracted' {
  if (row.status !== 'sealed') return row.status;
  return row.reveal_at !== null && Date.parse(row.reveal_at) <= now ? 'revealed' : 'sealed';
}
