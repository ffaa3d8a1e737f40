import { evidenceReader } from './read-evidence.ts';

/** For evidence only; time stamps only with certificates. */
export const readEvidence = evidenceReader(() => import('./timestamps.ts'));
