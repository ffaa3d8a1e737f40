import type { FastifyInstance } from 'fastify';
import { VERSION } from '../settings/version.ts';
import type { Parts } from './parts.ts';

export async function serviceInfo({ chain: { facts }, etches, identity }: Parts): Promise<object> {
  return {
    version: VERSION,
    chain: {
      name: facts.name,
      chain_id: await facts.chainId(),
      attestation_contract: facts.contract,
      schema_uid: facts.schemaUid,
      relayers: await facts.relayers(),
      rpc_url: facts.publicRpcUrl,
    },
    promise: { keys: etches.promises.keys },
    log: { origin: etches.treeLog.origin, keys: etches.treeLog.keys },
    identity: identity.program,
  };
}

export function mountWellKnown(app: FastifyInstance, parts: Parts): void {
  app.get('/.well-known/svc.json', async (_request, reply) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return serviceInfo(parts);
  });
}
