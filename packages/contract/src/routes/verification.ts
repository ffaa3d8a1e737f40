import { Receipt } from '../resources/receipt.ts';
import { Verification } from '../resources/verification.ts';
import { receipt } from '../examples/receipt.ts';
import { verification } from '../examples/verification.ts';
import { idParams } from './inputs.ts';
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
