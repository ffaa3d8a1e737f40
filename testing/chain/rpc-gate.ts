import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Json } from '../json.ts';
import { type LocalServer, startServer } from '../machine/server.ts';
import { keepSecret } from '../system/secrets.ts';
import { askNode } from './json-rpc.ts';

interface RpcRequest {
  id: unknown;
  method: string;
  params: Json[];
}

type Pass = (method: string, params: unknown[]) => Promise<Json>;

/** Undefined forwards the request. */
export type Rule = (
  request: RpcRequest,
  pass: Pass,
) => Promise<RuleAnswer | undefined> | RuleAnswer | undefined;
type RuleAnswer =
  | { result: unknown }
  | { error: { code: number; message: string } }
  | { status: number; bytes: string }
  | 'hang';

export interface RpcGate {
  /** contains the secret */
  readonly url: string;
  readonly asked: string[];
  rule: Rule | undefined;
  close(): Promise<void>;
  open(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRpcGate(
  target: string,
  { rule, toBrowsers = false }: { rule?: Rule; toBrowsers?: boolean } = {},
): Promise<RpcGate> {
  const secret = randomBytes(16).toString('hex');
  keepSecret('the secret path of the RPC endpoint', secret);
  let server: LocalServer | undefined;
  let port = 0;

  const pass: Pass = async (method, params) => {
    const { result, error } = await askNode(target, method, params);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (toBrowsers) {
      outgoing.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*');
      if (incoming.method !== 'POST') return void outgoing.writeHead(204).end();
    }
    const request = JSON.parse(await text(incoming)) as RpcRequest;
    gate.asked.push(request.method);
    const ruled = await gate.rule?.(request, pass);
    if (ruled === 'hang') return;
    if (ruled && 'bytes' in ruled) return void outgoing.writeHead(ruled.status).end(ruled.bytes);
    const answer = ruled ?? (await askNode(target, request.method, request.params));
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ ...answer, jsonrpc: '2.0', id: request.id }));
  }

  const gate: RpcGate = {
    get url() {
      return `http://127.0.0.1:${port}/v3/${secret}`;
    },
    asked: [],
    rule,
    async open() {
      server = await startServer((incoming, outgoing) => {
        serve(incoming, outgoing).catch(() => outgoing.destroy());
      }, port);
      ({ port } = server);
    },
    async close() {
      await server?.stop();
    },
    stop: () => gate.close(),
  };
  await gate.open();
  return gate;
}
