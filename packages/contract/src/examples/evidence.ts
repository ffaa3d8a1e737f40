import type { EvidenceFile } from '../resources/evidence.ts';
import { receipt } from './receipt.ts';

/** As it is right after the attestation became final: proofs are some thousand digits long. */
export const evidence: EvidenceFile = {
  _format: 'svc-evidence:v1',
  receipt,
  commitment: null,
  tombstone: null,
  wait: 'the proof is being made',
};
