import { evidenceReader } from './read-evidence.ts';

/** Comes only for evidence; what checks time stamps only once there are certificates to judge them by. */
export const readEvidence = evidenceReader(() => import('./timestamps.ts'));
