import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../../../testing/machine/folder.ts';
import type { ReceiptVector } from '../../../../testing/vectors/receipts.ts';

let folder: string | undefined;
let files = 0;

export function save(value: unknown): string {
  const path = join((folder ??= newFolder('cli')), `${files++}.json`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

/** The flags that name the trust of a vector. */
export const pins = ({ trust }: Pick<ReceiptVector, 'trust'>): string[] => [
  ...trust.relayers.flatMap((relayer) => ['--relayer', relayer]),
  '--contract',
  trust.contract,
  '--schema',
  trust.schema_uid,
  '--chain-id',
  String(trust.chain_id),
];
