import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { EtchVerifier } from '../../etches/verify.ts';
import { type EvidenceDependencies, makeEvidence } from '../../proofs/evidence/answer.ts';
import { operation } from '../operation.ts';
import type { ChainReads } from '../chain-reads.ts';
import { idOf } from '../path-id.ts';
import { NO_ETCH } from './etches.ts';

interface VerificationDependencies {
  verifier: EtchVerifier;
  reads: ChainReads;
  evidence: EvidenceDependencies;
}

export function mountVerification(
  api: FastifyInstance,
  { verifier, reads, evidence }: VerificationDependencies,
): void {
  operation(api, ROUTES.getReceipt, async ({ params, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.receipt(idOf(params.id, NO_ETCH));
  });

  // This costs as much work as a chain read.
  operation(api, ROUTES.getEvidence, async ({ params, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    await reads.take(request.ip, 1, 0);
    return makeEvidence(await verifier.shown(idOf(params.id, NO_ETCH)), evidence);
  });

  operation(api, ROUTES.verifyEtch, async ({ params, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.verify(idOf(params.id, NO_ETCH), reads.readerFor(request.ip));
  });
}
