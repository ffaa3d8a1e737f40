import { beacon } from '../examples/beacon.ts';
import { Beacon } from '../resources/beacon.ts';
import { EvidenceFile } from '../resources/evidence.ts';
import { Receipt } from '../resources/receipt.ts';
import { Verification } from '../resources/verification.ts';
import { opening } from '../examples/opening.ts';
import { OpeningFile } from '../resources/opening.ts';
import { evidence } from '../examples/evidence.ts';
import { receipt } from '../examples/receipt.ts';
import { verification } from '../examples/verification.ts';
import { beaconParams, idParams } from './inputs.ts';
import { route } from './route.ts';

export const verificationRoutes = {
  getReceipt: route({
    operationId: 'getReceipt',
    method: 'GET',
    path: '/api/v1/etches/{id}/receipt',
    summary: "Download an etch's receipt",
    description:
      'All that a stranger needs to check the etch without this service. While the etch is pending its anchoring fields are null.',
    tag: 'Verification',
    auth: 'public',
    params: idParams('etch'),
    success: {
      status: 200,
      description: 'The receipt.',
      schema: Receipt,
      example: receipt,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: { 404: 'There is no such etch.' },
  }),
  getEvidence: route({
    operationId: 'getEvidence',
    method: 'GET',
    path: '/api/v1/etches/{id}/evidence',
    summary: "Download an etch's evidence",
    description:
      'The receipt with proofs of its attestations, which need no node: a reader who knows the hash of a block checks them alone. A proof that is not there yet, or that cannot be made, is null, and `wait` says why.',
    tag: 'Verification',
    auth: 'public',
    params: idParams('etch'),
    success: {
      status: 200,
      description: 'The evidence.',
      schema: EvidenceFile,
      example: evidence,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: {
      404: 'There is no such etch.',
      429: "The address's readings of the chain, or the key's requests, are exhausted for this minute.",
    },
    extra: true,
  }),
  getOpening: route({
    operationId: 'getOpening',
    method: 'GET',
    path: '/api/v1/etches/{id}/opening',
    summary: "Download a sealed etch's opening",
    description:
      'For its author alone: the canonical string, encrypted to the first round of a drand chain at or after the reveal time, and signed. From that round on whoever has the file opens it, without this service, and though the etch be retracted meanwhile: keep it as you would keep the words. Nobody can test it before that round, you included; if it then holds something else, its signature proves that. It is made anew each time and kept nowhere.',
    tag: 'Verification',
    auth: 'write',
    params: idParams('etch'),
    success: {
      status: 200,
      description: 'The opening.',
      schema: OpeningFile,
      example: opening,
      headers: ['Cache-Control'],
    },
    refusals: {
      403: 'The etch is not yours, or the key has scope read.',
      404: 'There is no such etch.',
      422: 'The etch is public or retracted, or this service makes no openings.',
      429: "The account's openings for this hour, or the key's requests for this minute, are exhausted.",
    },
    extra: true,
  }),
  getBeacon: route({
    operationId: 'getBeacon',
    method: 'GET',
    path: '/api/v1/beacons/{chain}/{round}',
    summary: 'Read the signature of a due round',
    description:
      "What opens a blind seal or an opening when its time has come: the signature of a round, relayed from the drand network and checked against the chain's public key before it is answered. Of the chain that this service pins alone, and never of a round that is not due. Any relay of the network tells the same; you need not ask here.",
    tag: 'Verification',
    auth: 'public',
    params: beaconParams,
    success: {
      status: 200,
      description: 'The round. It never changes.',
      schema: Beacon,
      example: beacon,
      headers: ['Cache-Control'],
    },
    refusals: {
      404: 'The chain is not the one that this service pins, or there is no such round.',
      422: 'The round is not due, or this service asks no relay.',
      429: "The address's readings of the chain, or the key's requests, are exhausted for this minute.",
      503: 'No relay has the round now, or the service is busy; try again.',
    },
    extra: true,
  }),
  verifyEtch: route({
    operationId: 'verifyEtch',
    method: 'GET',
    path: '/api/v1/verify/{id}',
    summary: 'Verify an etch against the chain',
    description:
      'Hashes the canonical string again, folds the stored proof and reads the attestation from the chain itself. A chain that cannot be read gives the verdict `wait`, never `fail`.',
    tag: 'Verification',
    auth: 'public',
    params: idParams('etch'),
    success: {
      status: 200,
      description: 'What was checked, and how it came out.',
      schema: Verification,
      example: verification,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: { 404: 'There is no such etch.' },
  }),
};
