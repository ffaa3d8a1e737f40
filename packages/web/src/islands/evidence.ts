import { evidenceReader } from './read-evidence.ts';

/** Loaded for evidence only; the check of time stamps only once there are certificates. */
export const readEvidence = evidenceReader(() => import('./timestamps.ts'));
