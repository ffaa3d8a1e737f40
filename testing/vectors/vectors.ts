import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../vectors');
const beside = join(import.meta.dirname, '../../../shared/vectors/protocol.json');

type Vector = any;

export const readVector = (path: string): Vector =>
  JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8'));

export const invalidVectors = (prefix: string): [string, Vector][] =>
  readdirSync(join(folder, 'invalid'))
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name.replace('.json', ''), readVector(`invalid/${name.replace('.json', '')}`)]);

/** The originals are outside the checkout and optional. */
export const workedExamples = (): [string, Vector][] => [
  ['worked examples', readVector('valid/worked-examples')],
  ...(existsSync(beside)
    ? [['the examples beside the checkout', JSON.parse(readFileSync(beside, 'utf8'))] as [string, Vector]]
    : []),
];
