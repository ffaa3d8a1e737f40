import { evidenceReader } from './read-evidence.ts';

/** Loads time stamps only with certificates. */
export const readEvidence = evidenceReader(() => import('./timestamps.ts'));
