import type { Receipt } from '@svc/protocol';
import type { WitnessCheck } from '../check.ts';

export interface Witness {
  of: 'commitment' | 'tombstone';
  /** `rfc3161`: token over the 128 bytes; `ots`: OpenTimestamps file of their SHA-256 */
  kind: string;
  proof: string;
}

/** The fields of evidence that the check of a kind reads. */
export interface WitnessedReceipt {
  receipt: Receipt;
  witnesses?: Witness[];
}

/** From the check of a kind, for example `checkTimestamps` of `@svc/timestamp`. */
export type WitnessFinding = Omit<WitnessCheck<string>, 'evidence'>;

/** A kind of proof next to the chain. Each folder or file here describes one; index.ts lists them. */
export interface ProofKind {
  /** its name in `--require`, and in `by` of a witness */
  readonly need: string;
  /** in the JSON of `svc verify` */
  readonly field: string;
  readonly title: string;
  /** `kind` of its witnesses in evidence */
  readonly witness: string;
  /** in the help of `--require` */
  readonly about: string;
  /** what a browser says that a file with such a witness has */
  readonly found: string;
  /** only for a kind that SDK and MCP wait for and can require */
  readonly client?: ClientProof;
}

export interface ClientProof {
  /** the clock that the proof shows */
  readonly clock: string;
  /** option of `verifyEvidence` in the SDK for the caller's check */
  readonly option: string;
  /** without a check by the caller; only for a kind whose check needs no trusted value */
  readonly check?: (file: WitnessedReceipt) => Promise<WitnessFinding>;
}
