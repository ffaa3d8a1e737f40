import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressed, compressor, varyByCoding } from './compress.ts';
import { type Document, readDocuments } from './documents.ts';
import { etagOf, isKnown } from './etag.ts';
import { type LlmsFacts, llmsText } from './llms-text.ts';

type Page = Pick<Document, 'type' | 'bytes' | 'etag'>;

const PLAIN = 'text/plain; charset=utf-8';

export function mountLlms(app: FastifyInstance, facts: LlmsFacts): void {
  const { baseUrl } = facts;
  const short = once(async (): Promise<Page> => {
    const bytes = Buffer.from(llmsText(facts, (await readDocuments()).list));
    return { type: PLAIN, bytes, etag: etagOf(bytes) };
  });
  const whole = once(async () => {
    const [{ bytes }, { list }] = [await short(), await readDocuments()];
    const parts = [bytes, ...list.flatMap((document) => headed(document, baseUrl))];
    return { parts, etag: etagOf([etagOf(bytes), ...list.map(({ etag }) => etag)].join()) };
  });
  app.get('/llms.txt', async (request, reply) => sendDocument(request, reply, await short()));
  app.get('/llms-full.txt', async (request, reply) => {
    const { parts, etag } = await whole();
    return sendDocument(request, reply, { type: PLAIN, etag, bytes: () => Readable.from(parts) });
  });
}

const headed = ({ name, bytes }: Document, baseUrl: string): Uint8Array[] => [
  Buffer.from(`\n\n<!-- ${baseUrl}/docs/${name} -->\n\n`),
  bytes,
];

export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: Omit<Page, 'bytes'> & { bytes: Uint8Array | (() => Readable) },
): Promise<FastifyReply> {
  void reply
    .header('Access-Control-Allow-Origin', '*')
    .header('Cache-Control', 'no-cache')
    .header('ETag', etag);
  if (isKnown(request, etag)) {
    varyByCoding(reply);
    return reply.code(304).send();
  }
  void reply.header('Content-Type', type);
  if (typeof bytes !== 'function') return reply.send(await compressed(request, reply, bytes));
  const packing = compressor(request, reply);
  return reply.send(packing ? bytes().pipe(packing) : bytes());
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
