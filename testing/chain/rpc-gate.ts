import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '../json.ts';
import { keepSecret } from '../system/secrets.ts';

interface RpcRequest {
  id: unknown;
  method: string;
  params: Json[];
}

/** Asks the node behind the gate. */
export type Pass = (method: string, params: unknown[]) => Promise<Json>;

/** What the gate does instead of passing on: answer a result, an error, other bytes, or (undefined) pass on. */
export type Rule = (
  request: RpcRequest,
  pass: Pass,
) => Promise<RuleAnswer | undefined> | RuleAnswer | undefined;
type RuleAnswer =
  { result: unknown } | { error: { code: number; message: string } } | { status: number; bytes: string };

/** A provider's endpoint in front of a node: at an address with a secret path, and only as honest as its rule. */
export interface RpcGate {
  /** holds the secret */
  readonly url: string;
  rule: Rule | undefined;
  /** Refuses connections until `open`. */
  close(): Promise<void>;
  open(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRpcGate(target: string): Promise<RpcGate> {
  const secret = randomBytes(16).toString('hex');
  keepSecret('the secret path of the RPC endpoint', secret);
  let server: Server;
  let port = 0;

  const ask = async (method: string, params: unknown[]): Promise<Record<string, unknown>> => {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const pass: Pass = async (method, params) => {
    const answer = await ask(method, params);
    if ('error' in answer) throw new Error(JSON.stringify(answer['error']));
    return answer['result'];
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = JSON.parse(await text(incoming)) as RpcRequest;
    const ruled = await gate.rule?.(request, pass);
    if (ruled && 'bytes' in ruled) {
      outgoing.writeHead(ruled.status).end(ruled.bytes);
      return;
    }
    const answer = ruled ?? (await ask(request.method, request.params));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ ...answer, jsonrpc: '2.0', id: request.id }));
  }

  const gate: RpcGate = {
    get url() {
      return `http://127.0.0.1:${port}/v3/${secret}`;
    },
    rule: undefined,
    async open() {
      server = createServer((incoming, outgoing) => {
        serve(incoming, outgoing).catch(() => outgoing.destroy());
      });
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, '127.0.0.1', resolve);
      });
      ({ port } = server.address() as AddressInfo);
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
    stop: () => gate.close(),
  };
  await gate.open();
  return gate;
}
