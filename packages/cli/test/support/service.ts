import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { Receipt } from '@svc/protocol';
import type { ReceiptVector } from '../../../../testing/vectors/receipts.ts';

export interface StubService {
  origin: string;
  port: number;
  requests: string[];
  headers: IncomingHttpHeaders[];
  /** by path; a function takes the body of the request */
  answers: Record<string, unknown>;
  close(): Promise<void>;
}

export async function startService(): Promise<StubService> {
  const service: StubService = {
    origin: '',
    port: 0,
    requests: [],
    headers: [],
    answers: {},
    close: () => Promise.resolve(),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url!;
    service.requests.push(path);
    service.headers.push(request.headers);
    const answered = service.answers[path];
    const found = typeof answered === 'function' ? answered(JSON.parse(await text(request))) : answered;
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      typeof found === 'string'
        ? found
        : JSON.stringify(found ?? { error: { code: 'not_found', message: '' } }),
    );
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  service.port = (server.address() as AddressInfo).port;
  service.origin = `http://127.0.0.1:${service.port}`;
  service.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return service;
}

export function publish(
  service: StubService,
  vector: ReceiptVector,
  rpcUrl: string,
  origin = service.origin,
): Receipt {
  const receipt = { ...vector.receipt, _verify_without_etch: `${origin}/verify` };
  service.answers[`/api/v1/etches/${receipt.etch_id}/receipt`] = receipt;
  service.answers['/.well-known/svc.json'] = wellKnown(vector, rpcUrl);
  return receipt;
}

export const wellKnown = ({ trust }: ReceiptVector, rpcUrl: string, relayers = trust.relayers) => ({
  chain: {
    name: 'vectors',
    chain_id: trust.chain_id,
    attestation_contract: trust.contract,
    schema_uid: trust.schema_uid,
    relayers,
    rpc_url: rpcUrl,
  },
});
