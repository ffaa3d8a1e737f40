import { ChainUnavailable, type Block, type Hex } from './port.ts';

const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

export function toBigInt(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw nonsense('a quantity');
  return BigInt(value);
}

export function toNumber(value: unknown): number {
  const number = Number(toBigInt(value));
  if (!Number.isSafeInteger(number)) throw nonsense('a quantity');
  return number;
}

export function toHash(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) throw nonsense('a hash');
  return value.toLowerCase() as Hex;
}

export function toBytes(value: unknown): Hex {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !/^0x[0-9a-f]*$/i.test(value))
    throw nonsense('bytes');
  return value.toLowerCase() as Hex;
}

export function toRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw nonsense('an object');
  return value as Record<string, unknown>;
}

export function toBlock(value: unknown): Block {
  const block = toRecord(value);
  return {
    number: toNumber(block['number']),
    hash: toHash(block['hash']),
    timestamp: toNumber(block['timestamp']),
    // without a base fee any fee will do
    baseFeePerGas: block['baseFeePerGas'] === undefined ? 0n : toBigInt(block['baseFeePerGas']),
  };
}

export const nonsense = (expected: string): ChainUnavailable =>
  new ChainUnavailable(`the node answered nonsense where ${expected} was expected`);
