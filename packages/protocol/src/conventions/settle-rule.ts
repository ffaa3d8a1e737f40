import { VOID } from './forecast.ts';
import { ConventionError } from './plain-text.ts';
import { outcomeMisfit, parseQuestion } from './question.ts';

export interface SettleRule {
  url: string;
  /** RFC 6901 */
  pointer: string;
  /** from a value to its outcome; null: the value is the outcome */
  map: Map<string, string> | null;
}

/** characters of a value that a reason quotes */
const MOST = 80;

/** the brackets of a question */
const ENDING = /\[[^[\]]*\][ \t]*$/;
const RULE = /(?:^|\s)settles-by: *(.*)$/s;

/**
 * `settles-by: <https URL> <JSON pointer> [<value>=<outcome>,…]` before the brackets of a question
 * (docs/conventions.md#rules-that-settle-a-question).
 * @throws {ConventionError} on a malformed rule
 * @example
 * parseSettleRule('Rain? settles-by: https://example.org/a.json /rain true=yes,false=no [yes|no]').pointer; // '/rain'
 */
export function parseSettleRule(question: string): SettleRule | null {
  const [url, pointer = '', pairs = ''] = partsOfRule(question) ?? [];
  if (url === undefined) return null;
  if (!isAllowed(url) || !/^\//.test(pointer) || /~(?![01])/.test(pointer))
    throw new ConventionError(
      'after settles-by: write an https URL, a JSON pointer that begins with / and escapes with ~0 and ~1 only, and optionally value=outcome pairs, separated by commas',
    );
  const map = pairs === '' ? null : new Map(pairs.split(',').map(readPair));
  const format = parseQuestion(question);
  if (format.asks === 'text')
    throw new ConventionError(
      'a rule cannot settle a question that asks for a text: end it with its outcomes, such as [yes|no], or with [number: mm]',
    );
  for (const outcome of map?.values() ?? []) {
    const misfit = outcomeMisfit(outcome, format);
    if (misfit !== null) throw new ConventionError(misfit);
  }
  return { url, pointer, map };
}

/** An outcome in the pairs can have spaces. */
function partsOfRule(question: string): [url: string, pointer: string, pairs: string] | null {
  const [, written] = RULE.exec(question.replace(ENDING, '')) ?? [];
  if (written === undefined) return null;
  const [url = '', pointer = '', ...pairs] = written.trim().split(/\s+/);
  return [url, pointer, pairs.join(' ')];
}

/**
 * Why the rule of a new question is missing or wrong, for its author; null: nothing is wrong.
 * @example
 * settleRuleFault('Rain? [yes|no]'); // null
 * settleRuleFault('Rain? Settles-By https://example.org/a.json /rain [yes|no]').slice(0, 21); // 'settles-by is no rule'
 */
export function settleRuleFault(question: string): string | null {
  let rule: SettleRule | null;
  try {
    rule = parseSettleRule(question);
  } catch (error) {
    if (error instanceof ConventionError) return error.message;
    throw error;
  }
  if (rule === null)
    return MISSPELT.test(question)
      ? 'settles-by is no rule: write it in lower case, with a space before and a colon behind, as in: settles-by: https://example.org/a.json /rain [yes|no]'
      : null;
  const [found, port = '0'] = HOST.exec(rule.url) ?? [];
  if (found === undefined || Number(port) > 65_535)
    return 'the URL of the rule names no valid host, or contains credentials, which every reader would see';
  if (rule.map === null) return null;
  const pairs = partsOfRule(question)![2].split(',');
  return rule.map.size === pairs.length ? null : 'the rule gives one value two outcomes';
}

const HOST =
  /^https?:\/\/(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[[\da-f:.]+\])(?::(\d{1,5}))?(?:[/?#]|$)/iu;
const MISSPELT = /settles?[-_]by/i;

/** Plain http only on the local machine. */
const isAllowed = (url: string): boolean =>
  /^https:\/\/[^/]/.test(url) || /^http:\/\/(?:localhost|127(?:\.\d+){3})(?::\d+)?\//.test(url);

function readPair(pair: string): [string, string] {
  const at = pair.lastIndexOf('=');
  if (at < 1 || at === pair.length - 1)
    throw new ConventionError(`"${pair}" of the rule is not value=outcome`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/**
 * `void` with a reason when the pointer finds nothing or the value is not an outcome.
 * @param json numbers count as written, never as floating-point numbers
 * @throws {SyntaxError} when it is not JSON
 * @example
 * const question = 'Rain? settles-by: https://example.org/a.json /rain true=yes,false=no [yes|no]';
 * settle(parseSettleRule(question), question, '{ "rain": true }').outcome; // 'yes'
 * settle(parseSettleRule(question), question, '{}').outcome; // 'void'
 */
export function settle(
  { pointer, map }: SettleRule,
  question: string,
  json: string,
): { outcome: string; reason: string } {
  const value = valueAt(JSON.parse(json), pointer);
  if (!['string', 'number', 'boolean'].includes(typeof value))
    return { outcome: VOID, reason: `${pointer} leads to no text, number or truth value` };
  const isNumber = typeof value === 'number';
  const written = isNumber ? String(valueAt(JSON.parse(quoteNumbers(json)), pointer)) : String(value);
  const text = isNumber ? plainNumber(written) : written;
  const format = parseQuestion(question);
  const outcome = map !== null ? map.get(text) : format.asks === 'number' ? roundNumber(text) : text;
  const shown = [...(isNumber ? written : JSON.stringify(value))];
  const reason = `${pointer} has the value ${shown.slice(0, MOST).join('')}${shown.length > MOST ? '…' : ''}`;
  return outcome === undefined || outcomeMisfit(outcome, format) !== null
    ? { outcome: VOID, reason: `${reason}, which gives no outcome` }
    : { outcome, reason };
}

/** Turns the numbers of valid JSON into texts. */
const quoteNumbers = (json: string): string =>
  json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );

/** Removes the exponent and superfluous zeros of a JSON number. */
function plainNumber(text: string): string {
  const [, minus, whole = '', decimals = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) ?? [];
  if (minus === undefined) return text;
  const zeros = '0'.repeat(Math.abs(Number(exponent)));
  const digits = zeros + whole + decimals + zeros;
  const point = zeros.length + whole.length + Number(exponent);
  const plain = `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/^0+(?=\d)|\.?0*$/g, '');
  return plain === '0' ? plain : minus + plain;
}

/** Rounds half away from zero to six decimals. Returns other texts unchanged. */
function roundNumber(text: string): string {
  const [, sign, whole = '', kept = '', next] = /^(-?)(0|[1-9]\d{0,11})\.(\d{6})(\d)\d*$/.exec(text) ?? [];
  if (next === undefined) return text;
  const millionths = BigInt(whole + kept) + (next >= '5' ? 1n : 0n);
  if (millionths === 0n) return '0';
  const digits = String(millionths).padStart(7, '0');
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    // A list also has the property `length`.
    if (!Object.hasOwn(value, key) || (Array.isArray(value) && key === 'length')) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * The SHA-256 of the document that a rule read.
 * @example
 * settledBy(`sha256:${'ab'.repeat(32)} https://example.org/a.json`); // 'ab'.repeat(32)
 * settledBy('https://example.org/a.json'); // null
 */
export const settledBy = (source: string): string | null =>
  /^sha256:([0-9a-f]{64}) /.exec(source)?.[1] ?? null;
