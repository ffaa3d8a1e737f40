import { LOG } from './log.ts';
import { OTS } from './ots.ts';
import { TSA } from './tsa.ts';

export * from './log.ts';
export * from './ots.ts';
export * from './tsa.ts';
export type { ProofKind, Witness, WitnessedReceipt, WitnessFinding } from './proof-kind.ts';

/** In the order in which verdicts list them. */
export const PROOF_KINDS = [TSA, OTS, LOG] as const;
