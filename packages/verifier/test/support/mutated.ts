import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Receipt } from '@svc/protocol';
import { mutateAnswer, mutateEnvelope } from './mutated-answers.ts';
import { mutateText, mutateValue, RAW } from './mutated-values.ts';
import { seeded } from '../../../../testing/seeded.ts';
import type { Dice } from '../../../../testing/seeded.ts';

/** May be malformed. */
export interface Given {
  name: string;
  /** base64 */
  receipt: string;
  pins: { chain: number[]; contract: string[]; schema: string[]; relayer: string[]; key: string[] };
  promise: unknown;
  content: string | null;
  etch: ShownEtch | null;
  /** by request, base64; a request without an entry gets no answer */
  answers: Record<string, { status: number; body: string }>;
}

export interface ShownEtch {
  id: string;
  description: string;
  category: { id: string };
  mode: 'instant' | 'delayed';
  reveal_at: string | null;
  challenge: { id: string } | null;
}

interface World {
  receipt: Receipt;
  trust: { chain_id: number; contract: string; schema_uid: string; relayers: string[] };
  chain: { chain_id: number; eth_call: Record<string, string> };
}
type Scenario = (name: string, options: object) => World;

const KINDS = ['revealed', 'signed', 'sealed', 'retracted'] as const;
const SCHEMES = [0, 1, 2];
interface Rules {
  sha256: (...parts: Uint8Array[]) => Buffer;
  keyPair: (name: string) => { public_key: string; sign: (text: string) => string };
}

const CONTENTS = ['It will rain.', '', 'a|b|c', 'naïve 🙂 שלום\r\n', '\ufeffx', ' ', 'svc:v1|a|b|c|d'];
/** of changed fields */
export type Paths = Set<string>;

/** Zero or more changed fields, and the answers of the chain. */
export async function* mutated(count: number, seed: number, paths: Paths): AsyncGenerator<Given> {
  const load = (name: string) =>
    import(
      pathToFileURL(join(import.meta.dirname, '../../../../vectors/generate', name)).href
    ) as Promise<unknown>;
  const { scenario } = (await load('scenario.mjs')) as { scenario: Scenario };
  const rules = (await load('rules.mjs')) as Rules;
  for (let at = 0; at < count; at++) yield one(scenario, rules, seed, at, paths);
}

function one(scenario: Scenario, rules: Rules, seed: number, at: number, paths: Paths): Given {
  const dice = seeded(seed * 1_000_003 + at);
  const kind = KINDS[at % 4]!;
  const scheme = SCHEMES[Math.floor(at / 4) % 3]!;
  const accepted = dice.pick(CONTENTS);
  const world = scenario(`differential ${at % 240}`, {
    scheme,
    status: kind === 'signed' ? 'revealed' : kind,
    signed: kind === 'signed',
    size: 1 + dice.below(33),
    attested: dice.pick([12, 12, 12, 0, -1, 600, 601, 86_400 * 3, null]),
    retraction: dice.pick(['anchored', 'anchored', null]),
    content: accepted,
  });
  const service = rules.keyPair('service');
  const promised = () => mutatedPromise(world.receipt, rules, dice.pick([accepted, accepted, 'Rain.']), dice);
  const promise = at % 3 === 0 ? promised() : null;
  const content = dice.pick([null, accepted, 'Rain.']);
  const id = world.receipt.etch_id;
  const shown: ShownEtch = { id, ...SHOWN, ...dice.pick([{}, {}, {}, { description: 'x' }]) };
  const etch = dice.chance(4) ? null : shown;
  const receipt = world.receipt as unknown as Record<string, unknown>;
  const steps: string[] = [];
  // A third stays unchanged.
  for (let change = dice.pick([0, 1, 1, 2]); change > 0; change--)
    steps.push(mutateField(receipt, dice, paths));
  let text = RAW.put(JSON.stringify(receipt, null, dice.pick([0, 0, 1])));
  if (dice.chance(12)) text = mutateText(text, dice);
  const bytes = dice.chance(60) ? dice.spoil(Buffer.from(text)) : Buffer.from(text);

  const { trust } = world;
  const pins = {
    chain: [trust.chain_id],
    contract: [trust.contract],
    schema: [trust.schema_uid],
    relayer: [...trust.relayers],
    key: dice.chance(6) ? [] : [service.public_key],
  };
  if (dice.chance(15)) pins.relayer.unshift(`0x${'7'.repeat(40)}`);
  if (dice.chance(40)) pins.relayer = [`0x${'7'.repeat(40)}`];
  if (dice.chance(40)) pins.chain = [1];
  if (dice.chance(40)) pins.schema = [`0x${'7'.repeat(64)}`];

  const answers: Given['answers'] = {};
  answers['eth_chainId'] = mutateEnvelope(`0x${world.chain.chain_id.toString(16)}`, dice, true);
  for (const [uid, raw] of Object.entries(world.chain.eth_call))
    answers[uid] = mutateEnvelope(dice.chance(3) ? mutateAnswer(raw, dice) : raw, dice, false);
  const name = `${at} ${kind} ${scheme} ${steps.join(', ')}`;
  return { name, receipt: bytes.toString('base64'), pins, promise, content, etch, answers };
}

const DAYS = [
  '2026-05-08',
  '2026-05-08',
  '2026-05-08',
  '2026-05-07',
  '2026-05-09',
  '2026-02-30',
  '9999-12-31',
  '2026-5-8',
];

const SHOWN: Omit<ShownEtch, 'id'> = {
  description: 'A guess',
  category: { id: 'science' },
  mode: 'instant',
  reveal_at: null,
  challenge: null,
};
const DIGEST = createHash('sha256').update(SHOWN.description).digest('hex');
const PUBLIC_FIELDS = [
  ...Array<string[]>(4).fill([DIGEST, 'science', 'instant', '-', '-']),
  [DIGEST, 'personal', 'delayed', '2026-06-01T00:00:00.000Z', '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68'],
  [DIGEST, 'personal', 'delayed', '-', '-'],
  [DIGEST, 'Personal', 'instant', '-', '-'],
  [DIGEST.slice(1), 'ai', 'instant', '-', '-'],
  [DIGEST, 'ai', 'instant', '-'],
];

/** Sometimes slightly wrong. */
function mutatedPromise(
  { etch_id, author, hash }: Receipt,
  { keyPair, sha256 }: Rules,
  content: string,
  dice: Dice,
): unknown {
  const nonce = dice.pick(['0', 'f']).repeat(64);
  const words = sha256(Buffer.from(`svc-words:v1|${nonce}|${content}`)).toString('hex');
  const parts = ['svc-promise:v3', etch_id, author.user_id, hash, dice.pick(DAYS)];
  parts.push(...dice.pick(PUBLIC_FIELDS), words);
  if (dice.chance(5)) parts[dice.below(parts.length)] = String(mutateValue(dice.pick(parts), dice));
  if (dice.chance(20)) parts.push('');
  const text = parts.join('|');
  const path = Array.from({ length: dice.pick([0, 0, 0, 1, 3, 8, 9]) }, (_, at) => `${at}`.repeat(64));
  const root = path.reduce(
    (folded, sibling) =>
      sha256(Buffer.of(1), ...[folded, Buffer.from(sibling, 'hex')].toSorted((a, b) => Buffer.compare(a, b))),
    sha256(Buffer.of(0), Buffer.from(text)),
  );
  const key = keyPair('service');
  const signature = key.sign(`svc-promises:v1|${root.toString('hex')}`);
  const promise: Record<string, unknown> = { text, path, public_key: key.public_key, signature, nonce };
  const name = dice.pick(Object.keys(promise));
  if (dice.chance(5)) promise[name] = structuredClone(mutateValue(promise[name], dice));
  if (dice.chance(15)) delete promise[name];
  if (dice.chance(15)) promise['nonce'] = dice.pick<unknown>(['1'.repeat(64), null, undefined]);
  return dice.chance(30) ? dice.pick<unknown>(['x', [], 5, {}]) : promise;
}

/** @returns the changed path */
function mutateField(receipt: Record<string, unknown>, dice: Dice, paths: Paths): string {
  const all = [...waysTo(receipt)];
  // Each field is equally likely, regardless of the length of lists.
  const fields = [...new Set(all.map(nameOf))];
  const field = dice.pick(fields);
  const path = dice.pick(all.filter((way) => nameOf(way) === field));
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], receipt);
  const name = path.at(-1)!;
  const object = holder as Record<string, unknown>;
  const shown = path.join('.');
  paths.add(field);
  if (dice.chance(10) && !Array.isArray(object)) delete object[name];
  else if (dice.chance(8)) {
    // The right form and the wrong meaning.
    const other = dice.pick(all);
    object[name] = structuredClone(
      other.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], receipt) ?? null,
    );
    return `${shown} from ${other.join('.')}`;
  } else object[name] = structuredClone(mutateValue(object[name], dice));
  return `${shown}: ${JSON.stringify(object[name] ?? 'removed')?.slice(0, 60)}`;
}

/** Without list indexes. */
const nameOf = (path: string[]): string => path.filter((key) => !/^\d+$/.test(key)).join('.');

function* waysTo(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* waysTo(inner, [...path, key]);
}
