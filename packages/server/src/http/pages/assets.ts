import { readFileSync } from 'node:fs';
import type { EmbedParts } from '@svc/web/sharing/embed';
import { ISLANDS_FOLDER } from '@svc/web';
import type { ReceiptFileParts } from '@svc/web/receipt-file';
import type { Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { type Coding, codingFor, varyByCoding } from '../representation.ts';

interface Asset {
  type: string;
  body: Buffer;
  packed: Readonly<Partial<Record<Coding, Buffer>>>;
}

export interface Assets {
  urls: Site['files'];
  receipt: ReceiptFileParts;
  embed: EmbedParts;
  byName: ReadonlyMap<string, Asset>;
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/vnd.microsoft.icon',
  woff2: 'font/woff2',
};
const PATH = '/assets/';

let loaded: Assets | undefined;

export const assets = (): Assets => (loaded ??= load());

function load(): Assets {
  const read = (name: string): Buffer => readFileSync(new URL(name, ISLANDS_FOLDER));
  const manifest = JSON.parse(read('manifest.json').toString()) as {
    files: Site['files'];
    served: string[];
    packed: string[];
    receipt: ReceiptFileParts;
    embed: EmbedParts;
  };
  const packed = new Set(manifest.packed);
  const byName = new Map(
    manifest.served.map((name) => {
      const body = read(name);
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
      return [
        name,
        { type, body, packed: packed.has(name) ? { br: read(`${name}.br`), gzip: read(`${name}.gz`) } : {} },
      ];
    }),
  );
  const urls = Object.fromEntries(
    Object.entries(manifest.files).map(([name, file]) => [name, PATH + file]),
  ) as Site['files'];
  return { urls, receipt: manifest.receipt, embed: manifest.embed, byName };
}

/** Assets are cached without limit, because their names change with the content. */
export function mountAssets(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(`${PATH}:name`, async (request, reply) => {
    const asset = assets().byName.get(request.params.name);
    if (!asset) throw new Failure('not_found', 'there is no such file');
    void reply
      .header('Content-Type', asset.type)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Cross-Origin-Resource-Policy', 'same-origin');
    varyByCoding(reply);
    const coding = codingFor(request);
    const packed = coding && asset.packed[coding];
    return packed ? reply.header('Content-Encoding', coding).send(packed) : reply.send(asset.body);
  });
}
