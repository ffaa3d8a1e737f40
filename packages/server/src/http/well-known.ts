import type { FastifyInstance } from 'fastify';
import type { AnchoringChain } from '../etches/verify.ts';
import { VERSION } from '../settings/version.ts';

export interface WellKnown {
  chain: AnchoringChain;
  promiseKeys: readonly string[];
  treeLog: { origin: string; keys: readonly string[] };
  /** how installed programs sign people in; null: they cannot */
  identity: { issuer: string; client_id: string; resource: string; scope: string } | null;
}

export const serviceInfo = async ({ chain, promiseKeys, treeLog, identity }: WellKnown): Promise<object> => ({
  version: VERSION,
  chain: {
    name: chain.name,
    chain_id: await chain.chainId(),
    attestation_contract: chain.contract,
    schema_uid: chain.schemaUid,
    relayers: await chain.relayers(),
    rpc_url: chain.publicRpcUrl,
  },
  promise: { keys: promiseKeys },
  log: { origin: treeLog.origin, keys: treeLog.keys },
  identity,
});

export function mountWellKnown(app: FastifyInstance, info: () => Promise<object>): void {
  app.get('/.well-known/svc.json', async (_request, reply) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return info();
  });
}
