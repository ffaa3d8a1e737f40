import { readdir, readFile } from 'node:fs/promises';
import { etagInPieces } from './etag.ts';

/** The folder is in the repository, or next to the program in the image. */
const FOLDER = new URL('../../../../docs/', import.meta.url);
const SHOWN =
  /^(?:(?:(?:decisions|operating|templates)\/)?[\w.-]+\.(?:md|py|mjs)|pictures\/[\w.-]+\.(?:svg|webp))$/;
const PICTURES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', webp: 'image/webp' };

export interface Document {
  name: string;
  title: string;
  type: string;
  bytes: Uint8Array;
  etag: string;
}

export interface Documents {
  list: readonly Document[];
  byName: ReadonlyMap<string, Document>;
}

let read: Promise<Documents> | undefined;

export function readDocuments(): Promise<Documents> {
  read ??= readAll().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

async function readAll(): Promise<Documents> {
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => SHOWN.test(name)).sort();
  const all: Document[] = [];
  for (const name of names) all.push(await readOne(name));
  const list = all.filter(({ type }) => type.startsWith('text/'));
  return { list, byName: new Map(all.map((document) => [document.name, document])) };
}

async function readOne(name: string): Promise<Document> {
  const bytes = await readFile(new URL(name, FOLDER));
  const isPage = name.endsWith('.md');
  const picture = PICTURES[name.slice(name.lastIndexOf('.') + 1)];
  return {
    name,
    title: (isPage && /^# (.+)$/m.exec(bytes.toString('utf8'))?.[1]) || name,
    type: picture ?? `text/${isPage ? 'markdown' : 'plain'}; charset=utf-8`,
    bytes,
    etag: await etagInPieces(bytes),
  };
}
