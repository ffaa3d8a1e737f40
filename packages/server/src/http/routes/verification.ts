import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { EtchVerifier } from '../../etches/verify.ts';
import { operation } from '../operation.ts';
import type { ChainReads } from '../chain-reads.ts';
import { idOf } from '../path-id.ts';
import { NO_ETCH } from './etches.ts';

export function mountVerification(api: FastifyInstance, verifier: EtchVerifier, reads: ChainReads): void {
  operation(api, ROUTES.getReceipt, async ({ params, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.receipt(idOf(params.id, NO_ETCH));
  });

  operation(api, ROUTES.verifyEtch, async ({ params, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.verify(idOf(params.id, NO_ETCH), reads.readerFor(request.ip));
  });
}
