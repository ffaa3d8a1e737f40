import type { TakedownReason } from '@svc/contract';
import type { AuthorColumns } from '../identity/caller.ts';

/** An etch as stored, joined with its author and its attestations. Times are API times. */
export interface EtchRow extends AuthorColumns {
  id: string;
  user_id: string;
  code: string;
  mode: 'instant' | 'delayed';
  /** as stored; `statusAt` gives the status that readers see */
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
  /** the operator's reason; null when the author retracted it, or it is not retracted */
  taken_down: TakedownReason | null;
  /** encrypted content, salt and signature, while the stored status is `sealed` */
  sealed: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;

  commitment: AttestedBatch | null;
  tombstone: AttestedBatch | null;
  /** since when every attempt to anchor has failed */
  failing_since: string | null;
}

export interface AttestedBatch {
  /** 0: the attestation covers one etch, without a tree */
  tree_version: 0 | 1 | 2;
  root: Buffer;
  tree_size: number;
  proof: Buffer;
  uid: Buffer | null;
  /** null until final */
  anchored_at: string | null;
  tx_hash: Buffer | null;
  sender: Buffer;
}

/** Fields that readers do not see while an etch is sealed. */
export interface HiddenFields {
  content: string;
  salt: Buffer;
  signature: Buffer | null;
  signature_key: string | null;
}
