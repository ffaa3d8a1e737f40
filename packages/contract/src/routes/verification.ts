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
      'Everything that is needed to check the etch without this service. While the etch is pending, its anchoring fields are null.',
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
      'The receipt with proofs of its attestations. To check them, a reader needs only the hash of the block, not a node. A proof that is missing or cannot be made is null; `wait` gives the reason.',
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
      429: "The address's chain reads or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  getOpening: route({
    operationId: 'getOpening',
    method: 'GET',
    path: '/api/v1/etches/{id}/opening',
    summary: "Download a sealed etch's opening",
    description:
      'Only for the author: the canonical string, encrypted to the first round of a drand chain at or after the reveal time, and signed. From that round on, anyone who has the file can open it without this service, even after a retraction, so protect it like the text. Before that round, nobody can test it, not even the author; if it then contains something else, its signature proves it. The service makes it anew for each request and does not store it.',
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
      422: 'The etch is revealed or retracted, or this service makes no openings.',
      429: "The account's openings for this hour or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  getBeacon: route({
    operationId: 'getBeacon',
    method: 'GET',
    path: '/api/v1/beacons/{chain}/{round}',
    summary: 'Read the signature of a due round',
    description:
      "The signature of a round, which opens a blind seal or an opening. The service fetches it from the drand network and checks it with the chain's public key. It returns only rounds of its pinned chain that are due. Any relay of the network returns the same signature.",
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
      422: 'The round is not due, or this service has no relay.',
      429: "The address's chain reads or the key's requests for this minute are used up.",
      503: 'No relay has the round yet, or the service is busy; try again.',
    },
    extra: true,
  }),
  verifyEtch: route({
    operationId: 'verifyEtch',
    method: 'GET',
    path: '/api/v1/verify/{id}',
    summary: 'Verify an etch against the chain',
    description:
      'Recomputes the hash of the canonical string, folds the stored proof and reads the attestation from the chain. If the chain cannot be read, the verdict is `wait`, never `fail`.',
    tag: 'Verification',
    auth: 'public',
    params: idParams('etch'),
    success: {
      status: 200,
      description: 'The checks and their results.',
      schema: Verification,
      example: verification,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: { 404: 'There is no such etch.' },
  }),
};
