import { createServer, type IncomingMessage, type Server } from 'node:http';
import { addCheckpoint, type WitnessAnswer, type WitnessOptions } from './add-checkpoint.ts';
import { originHash } from './witness-folder.ts';

const MOST_BYTES = 200_000;
const NOT_FOUND: WitnessAnswer = { status: 404, body: 'there is nothing here\n' };

export function createWitnessServer(options: WitnessOptions): Server {
  const server = createServer((request, response) => {
    void answerTo(request, options)
      // A state that cannot be stored gives no cosignature.
      .catch((): WitnessAnswer => ({ status: 500, body: 'the witness cannot store its state\n' }))
      .then(({ status, type = 'text/plain; charset=utf-8', body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      });
  });
  server.requestTimeout = 30_000;
  return server;
}

async function answerTo(request: IncomingMessage, options: WitnessOptions): Promise<WitnessAnswer> {
  const path = request.url ?? '';
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return { status: 405, body: 'use POST\n' };
    const body = await readBody(request);
    return body === null ? { status: 413, body: 'the request is too long\n' } : addCheckpoint(body, options);
  }
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  const found = Object.entries(options.state).find(([origin]) => originHash(origin) === hash);
  return hash === undefined || found === undefined ? NOT_FOUND : { status: 200, body: found[1].note };
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    // Reads a request that is too long to its end, or its sender would not see the answer.
    if ((size += chunk.length) <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}
