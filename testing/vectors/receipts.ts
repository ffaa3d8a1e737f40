import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '@svc/protocol';
import { decodeAttestation } from '@svc/verifier';
import type { ChainReader, Trust } from '@svc/verifier';
import type { ChainState } from '../chain/rpc-server.ts';
import { ZEROS } from '../chain/rpc-server.ts';

const folder = join(import.meta.dirname, '../../vectors');

interface VectorTrust {
  chain_id: number;
  contract: string;
  schema_uid: string;
  relayers: string[];
}

export interface ReceiptVector {
  about: string;
  receipt: Receipt;
  trust: VectorTrust;
  chain: ChainState;
  expect: { overall: 'pass' | 'fail' | 'wait'; words: string; batch: string; chain: string };
}

export interface RefusedVector {
  field: string;
  receipt: Receipt;
  trust: VectorTrust;
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const named = (kind: string, prefix: string) =>
  readdirSync(join(folder, kind))
    .filter((name) => name.startsWith(prefix))
    .map((name): [string, unknown] => [name.replace('.json', ''), read(`${kind}/${name}`)]);

export const receiptVector = (name: string) => read(`${name}.json`) as ReceiptVector;

export function receiptVectors(): [string, ReceiptVector][] {
  const bySize = (read('valid/receipts-by-tree-size.json') as { cases: ReceiptVector[] }).cases;
  return [
    ...(named('valid', 'receipt-') as [string, ReceiptVector][]),
    ...(named('invalid', 'receipt-') as [string, ReceiptVector][]),
    ...bySize.map((vector): [string, ReceiptVector] => [vector.about, vector]),
  ];
}

export const refusedVectors = () => named('invalid', 'refused-') as [string, RefusedVector][];

export const trustOf = ({ trust }: { trust: VectorTrust }): Trust => ({
  chainId: trust.chain_id,
  contract: trust.contract,
  schemaUid: trust.schema_uid,
  relayers: trust.relayers,
});

/** Reads the vector's chain without a network. */
export const readerOf = ({ chain }: { chain: ChainState }): ChainReader => ({
  attestation: (_, uid) =>
    Promise.resolve({
      kind: 'read',
      chainId: chain.chain_id,
      attestation: decodeAttestation(chain.eth_call[uid] ?? ZEROS),
    }),
});
