import { isHex } from './hex.ts';
import { isTime } from './time.ts';

/** Where a service attests. */
export interface ServiceChain {
  chainId: number;
  contract: string;
  schemaUid: string;
  relayers: readonly string[];
}

/** A service left one chain for another (docs/decisions/0026-leaving-a-chain.md). */
export interface Move {
  leftAt: string;
  from: ServiceChain;
  to: ServiceChain;
}

const MOVE_TAG = 'svc-move:v1';

const serviceChainText = ({ chainId, contract, schemaUid, relayers }: ServiceChain): string =>
  [chainId, contract, schemaUid, [...new Set(relayers)].sort().join(',')].join('|').toLowerCase();

/**
 * `svc-move:v1|<left at>|<former chain id>|<contract>|<schema>|<relayers>|<chain id>|<contract>|<schema>|<relayers>`; the
 * service signs it with each of its promise keys. Relayers are sorted and separated by commas.
 * @example
 * const contract = `0x${'1'.repeat(40)}`;
 * const from = { chainId: 1, contract, schemaUid: `0x${'2'.repeat(64)}`, relayers: [contract] };
 * const text = moveText({ leftAt: '2026-01-02T03:04:05.678Z', from, to: { ...from, chainId: 10 } });
 * parseMove(text).to.chainId; // 10
 */
export const moveText = ({ leftAt, from, to }: Move): string =>
  [MOVE_TAG, leftAt, serviceChainText(from), serviceChainText(to)].join('|');

/**
 * Null unless `moveText` makes this text.
 * @example
 * parseMove('svc-move:v2|'); // null
 */
export function parseMove(text: string): Move | null {
  const [, leftAt = '', ...fields] = text.split('|');
  const [from, to] = [parseServiceChain(fields.slice(0, 4)), parseServiceChain(fields.slice(4))];
  if (!isTime(leftAt) || from === null || to === null) return null;
  const move = { leftAt, from, to };
  return moveText(move) === text ? move : null;
}

function parseServiceChain([
  id = '',
  contract = '',
  schemaUid = '',
  listed = '',
]: string[]): ServiceChain | null {
  const relayers = listed.split(',');
  const isSound =
    Number.isSafeInteger(Number(id)) &&
    Number(id) > 0 &&
    [contract, ...relayers].every((address) => isPrefixed(address, 20)) &&
    isPrefixed(schemaUid, 32);
  return isSound ? { chainId: Number(id), contract, schemaUid, relayers } : null;
}

const isPrefixed = (text: string, bytes: number) => text.startsWith('0x') && isHex(text.slice(2), bytes);
