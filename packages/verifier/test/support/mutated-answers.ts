import { RAW } from './mutated-values.ts';
import type { Dice } from '../../../../testing/seeded.ts';

const WORDS = [0n, 1n, 2n, 3n, 0x20n, 0x40n, 127n, 128n, 129n, 0x140n, 2n ** 31n, 2n ** 32n, 253_402_300_799n, 253_402_300_800n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 160n - 1n, 2n ** 160n, 2n ** 256n - 1n]; // oxfmt-ignore

export function mutateAnswer(raw: string, dice: Dice): string {
  const words = raw.slice(2).match(/.{64}/g)!;
  const at = dice.below(words.length);
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  const flipped = (bits: number) =>
    words.with(at, word(BigInt(`0x${words[at]!}`) ^ (1n << BigInt(dice.below(bits)))));
  const ways = [
    () => words.with(at, word(dice.pick(WORDS))),
    () => flipped(256),
    () => flipped(8),
    () => words.with(at, dice.pick(words)),
    () => words.toSpliced(at, 1),
    () => words.toSpliced(at, 0, '0'.repeat(64)),
    () => [...words, '0'.repeat(64)],
    () => [...words, 'f'.repeat(64)],
    () => words.slice(0, 12),
    () => words.map((one) => one.toUpperCase()),
    // The revocation is at, before or after the attestation.
    () => words.with(5, word(BigInt(`0x${words[3]!}`) + BigInt(dice.below(5) - 2))),
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
  const sent = (body: string | Buffer, status = 200) => ({
    status,
    body: Buffer.from(body).toString('base64'),
  });
  const whole = (value: object, status = 200, before = '') =>
    sent(before + RAW.put(JSON.stringify({ jsonrpc: '2.0', id: 1, ...value })), status);
  if (isChainId && dice.chance(25)) return whole({ result: dice.pick(CHAIN_IDS) });
  if (!dice.chance(14)) return whole({ result });
  const error = { code: -32_000, message: 'header not found' };
  const json = JSON.stringify(result);
  const broken = Buffer.concat([
    Buffer.from(`{"result":${json},"x":"`),
    Buffer.of(0xff, 0xc0),
    Buffer.from('"}'),
  ]);
  const ways = [
    ...[{ result, error }, { error, result }, { error }, {}].map((value) => () => whole(value)),
    ...[null, false, 0, ''].map((none) => () => whole({ result, error: none })),
    ...[null, 31_337, [result], { result }, RAW.of('NaN')].map((other) => () => whole({ result: other })),
    ...[{ id: 99 }, { jsonrpc: '1.0' }].map((more) => () => whole({ ...more, result })),
    ...[500, 429, 404, 201].map((status) => () => whole({ result }, status)),
    ...['\ufeff', '\ufeff\ufeff', ' \n', 'x'].map((before) => () => whole({ result }, 200, before)),
    () => whole({ result, more: 'x'.repeat(dice.pick([60_000, 70_000])) }),
    () => sent(JSON.stringify([{ result }])),
    () => sent(`{"result":"0x","result":${json}}`),
    () => sent(`{"result":${json},"x":"\\ud800"}`),
    () => sent(broken),
    () => sent(''),
  ];
  return dice.pick(ways)();
}
