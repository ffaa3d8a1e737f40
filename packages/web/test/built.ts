import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { ISLANDS_FOLDER } from '@svc/web';

export const manifest = JSON.parse(readFileSync(new URL('manifest.json', ISLANDS_FOLDER), 'utf8')) as {
  served: string[];
  receipt: { script: string };
};

/** @param name without the hash of the content and the ending */
const urlOf = (name: string): URL =>
  new URL(
    manifest.served.find((one) => one.startsWith(`${name}.`))!,
    ISLANDS_FOLDER,
  );

export const fileName = (name: string): string => urlOf(name).pathname.split('/').at(-1)!;
export const source = (name: string): string => readFileSync(urlOf(name), 'utf8');
export const load = (name: string): Promise<any> => import(urlOf(name).href);
export const weight = (name: string): number => gzipSync(readFileSync(urlOf(name)), { level: 9 }).length;
