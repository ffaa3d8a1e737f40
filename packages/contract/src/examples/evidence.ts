import type { EvidenceFile } from '../resources/evidence.ts';
import { receipt } from './receipt.ts';

/** Without the proof, which has some thousand digits. */
export const evidence: EvidenceFile = {
  _format: 'svc-evidence:v1',
  receipt,
  commitment: null,
  tombstone: null,
  wait: 'the proof is being made',
};
