import { RAW } from './mutated-values.ts';
import type { Dice } from '../../../../testing/seeded.ts';

const WORDS = [0n, 1n, 2n, 3n, 0x20n, 0x40n, 127n, 128n, 129n, 0x140n, 2n ** 31n, 2n ** 32n, 253_402_300_799n, 253_402_300_800n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 160n - 1n, 2n ** 160n, 2n ** 256n - 1n]; // oxfmt-ignore

export function mutateAnswer(raw: string, dice: Dice): string {
  const words = raw.slice(2).match(/.{64}/g)!;
  const at = dice.below(words.length);
  const ways = [
    () => words.with(at, dice.pick(WORDS).toString(16).padStart(64, '0')),
    () =>
      words.with(
        at,
        (BigInt(`0x${words[at]!}`) ^ (1n << BigInt(dice.below(256)))).toString(16).padStart(64, '0'),
      ),
    () =>
      words.with(
        at,
        (BigInt(`0x${words[at]!}`) ^ (1n << BigInt(dice.below(8)))).toString(16).padStart(64, '0'),
      ),
    () => words.with(at, dice.pick(words)),
    () => words.toSpliced(at, 1),
    () => words.toSpliced(at, 0, '0'.repeat(64)),
    () => [...words, '0'.repeat(64)],
    () => [...words, 'f'.repeat(64)],
    () => words.slice(0, 12),
    () => words.map((word) => word.toUpperCase()),
    // The revocation is at, before or after the attestation.
    () =>
      words.with(5, (BigInt(`0x${words[3]!}`) + BigInt(dice.below(5) - 2)).toString(16).padStart(64, '0')),
  ];
  const changed = `0x${dice.pick(ways)().join('')}`;
  if (!dice.chance(8)) return changed;
  return dice.pick([
    changed.slice(2),
    changed.replace('0x', '0X'),
    changed.slice(0, -1),
    `${changed}00`,
    '0x',
    '',
    `${changed}\n`,
  ]);
}

const CHAIN_IDS = ['0x7a69', '0x7A69', '0X7a69', '0x07a69', '0x00000000007a69', '0x000000000007a69', '7a69', '31337', '0x', '0x1', '0x7a69 ', ' 0x7a69', '0x7a69\n', '0xg', '0x20000000000000', '0x7a6a', '']; // oxfmt-ignore

export function mutateEnvelope(
  result: string,
  dice: Dice,
  isChainId: boolean,
): { status: number; body: string } {
  const whole = (value: object, status = 200, before = '') => ({
    status,
    body: Buffer.from(before + RAW.put(JSON.stringify({ jsonrpc: '2.0', id: 1, ...value }))).toString(
      'base64',
    ),
  });
  if (isChainId && dice.chance(25)) return whole({ result: dice.pick(CHAIN_IDS) });
  if (!dice.chance(14)) return whole({ result });
  const error = { code: -32_000, message: 'header not found' };
  const ways = [
    () => whole({ result, error }),
    () => whole({ error, result }),
    () => whole({ result, error: null }),
    () => whole({ result, error: false }),
    () => whole({ result, error: 0 }),
    () => whole({ result, error: '' }),
    () => whole({ error }),
    () => whole({}),
    () => whole({ result: null }),
    () => whole({ result: 31_337 }),
    () => whole({ result: [result] }),
    () => whole({ result: { result } }),
    () => whole({ result: RAW.of('NaN') }),
    () => whole({ id: 99, result }),
    () => whole({ jsonrpc: '1.0', result }),
    () => whole({ result }, 500),
    () => whole({ result }, 429),
    () => whole({ result }, 404),
    () => whole({ result }, 201),
    () => whole({ result, more: 'x'.repeat(dice.pick([60_000, 70_000])) }),
    () => whole({ result }, 200, '\ufeff'),
    () => whole({ result }, 200, '\ufeff\ufeff'),
    () => whole({ result }, 200, ' \n'),
    () => whole({ result }, 200, 'x'),
    () => ({ status: 200, body: Buffer.from(JSON.stringify([{ result }])).toString('base64') }),
    () => ({
      status: 200,
      body: Buffer.from(`{"result":"0x","result":${JSON.stringify(result)}}`).toString('base64'),
    }),
    () => ({
      status: 200,
      body: Buffer.from(`{"result":${JSON.stringify(result)},"x":"\\ud800"}`).toString('base64'),
    }),
    () => ({
      status: 200,
      body: Buffer.concat([
        Buffer.from(`{"result":${JSON.stringify(result)},"x":"`),
        Buffer.of(0xff, 0xc0),
        Buffer.from('"}'),
      ]).toString('base64'),
    }),
    () => ({ status: 200, body: '' }),
  ];
  return dice.pick(ways)();
}
