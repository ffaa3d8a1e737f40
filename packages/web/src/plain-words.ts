// Words that programs understand, without their syntax, for pages whose script is too small for all conventions.
// A reader finds the exact words next to them.
import { roundChance } from './chance.ts';

const FIRST = /^svc-([a-z]+):v\d+ ?([^\r\n]*)\r?\n?([^]*)$/;
const CHANCE = /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/;
const PAIR = /([^=]+)=(\S+)(?: +|$)/g;
const WHOLE = 1_000_000;

const KINDS: Readonly<Record<string, string>> = {
  forecast: 'Forecast',
  resolution: 'Resolution',
  files: 'Files',
  log: 'Log',
  scope: 'Scope',
  hub: 'Forecast hub',
};

interface PlainWords {
  /** undefined for a text */
  first?: string;
  rest: string;
}

/** A malformed forecast is a text. */
export function plainWords(content: string): PlainWords {
  const [, kind = '', parts = '', rest = ''] = FIRST.exec(content) ?? [];
  const name = KINDS[kind];
  if (name === undefined) return { rest: content };
  const shown =
    kind === 'forecast' ? forecast(parts) : kind === 'resolution' ? resolution(parts) : countIn(parts);
  if (shown === undefined) return { rest: content };
  return { first: shown === '' ? name : `${name}: ${shown}`, rest: rest.trim() };
}

function forecast(parts: string): string | undefined {
  const pairs = [...parts.matchAll(PAIR)].map(([, outcome = '', value = '']) => ({ outcome, value }));
  if (pairs.every(({ outcome }) => /^q\d\d?$/.test(outcome)))
    return pairs.map(({ outcome, value }) => `${outcome.slice(1)} % chance of at most ${value}`).join(' · ');
  if (!pairs.every(({ value }) => CHANCE.test(value))) return undefined;
  const chances = pairs.map(({ value }) => Math.round(Number(value) * WHOLE));
  const isYes = pairs.length === 1 && pairs[0]!.outcome === 'yes';
  if (!isYes && chances.reduce((sum, chance) => sum + chance, 0) !== WHOLE) return undefined;
  return pairs.map(({ outcome }, at) => `${outcome} ${roundChance(chances[at]!)}`).join(' · ');
}

/** `2 files` of `root=… files=2`. */
const countIn = (parts: string): string => parts.replace(/^root=\S+ (\w+)=(\d+).*/, '$2 $1');

/** Without the id of the question. */
const resolution = (parts: string): string => parts.replace(/^\S+ +/, '');
