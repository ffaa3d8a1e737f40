import { EVENT_TYPES, TOPIC_IDS } from '@svc/contract/tables';
import { type Requirement, REQUIREMENTS } from '@svc/verifier/evidence';
import { parseDateTime } from '@svc/protocol';
import type { Client } from '@svc/sdk';
import { InvalidArgumentError } from 'commander';
import { choice, flag, type InputOf, otherwise, read, type Spec } from './command.ts';
import { usageError } from './exit.ts';

function matching(pattern: RegExp, what: string): (value: string) => string {
  return (value) => {
    if (!pattern.test(value)) throw new InvalidArgumentError(`It is not ${what}.`);
    return value.toLowerCase();
  };
}

export const address = matching(/^0x[0-9a-f]{40}$/i, 'an address (0x and 40 hex digits)');
export const publicKey = matching(/^[0-9a-f]{64}$/i, 'a public key (64 hex digits)');
export const nonce = matching(/^[0-9a-f]{64}$/i, 'a nonce (64 hex digits)');
export const blockHash = matching(/^0x[0-9a-f]{64}$/i, 'the hash of a block (0x and 64 hex digits)');
export const bytes32 = matching(/^0x[0-9a-f]{64}$/i, 'a uid (0x and 64 hex digits)');

export const listOf =
  <T extends string>(known: readonly T[]) =>
  (value: string): T[] => {
    const named = value.split(',').map((name) => known.find((one) => one === name.trim()));
    if (!named.every((one) => one !== undefined))
      throw new InvalidArgumentError(`Accepted are ${known.join(', ')}, separated by commas.`);
    return named;
  };
export const requirements = listOf<Requirement>(REQUIREMENTS);

export const bitcoinHeader = matching(/^[0-9a-f]{160}$/i, 'a Bitcoin block header (160 hex digits)');

export function httpUrl(value: string): string {
  if (isHttpUrl(value)) return value;
  // Commander prints a rejected value, which may contain a password.
  if (value.includes('@'))
    throw usageError(
      'a URL with credentials is not an http or https url, or its credentials are not percent-encoded (https://user:p%2Fw@example.org)',
    );
  throw new InvalidArgumentError('It is not an http or https url.');
}

function isHttpUrl(value: string): boolean {
  try {
    const { protocol, username, password } = new URL(value);
    decodeURIComponent(username + password);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

const numeric = (pattern: RegExp, what: string) => (value: string) => Number(matching(pattern, what)(value));

export const chainId = numeric(/^[1-9]\d{0,14}$/, 'a chain id (a whole number from 1)');
export const blockNumber = numeric(/^\d{1,12}$/, 'a block number (a whole number from 0)');
export const count = numeric(/^[1-9]\d{0,8}$/, 'a whole number from 1');
export const hours = numeric(/^\d{1,4}$/, 'a whole number of hours from 0');

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const FROM_NOW = /^\+?(\d{1,6})([smhdw])$/;

/** RFC 3339 with `Z` or an offset, or a duration from now (`90m`, `12h`, `3d`). */
export function futureTime(value: string): string {
  if (!isFromNow(value) && parseDateTime(value) === null)
    throw new InvalidArgumentError(
      'Give a time with its offset (2030-01-31T12:00:00Z), or a duration from now (90m, 12h, 3d).',
    );
  return value;
}

export const isFromNow = (value: string): boolean => FROM_NOW.test(value);

export function secondsOf(duration: string): number {
  const [, amount, unit] = FROM_NOW.exec(duration)!;
  return Number(amount) * UNITS[unit!]!;
}

/** A duration counts from the service’s clock. */
export async function absoluteTime(value: string, client: Pick<Client, 'serverTime'>): Promise<string> {
  if (!isFromNow(value)) return value;
  const time = new Date((await client.serverTime()) + secondsOf(value) * 1000).toISOString();
  if (parseDateTime(time) === null)
    throw usageError(`${value} from now is after the year 9999: give a shorter duration`);
  return time;
}

export const TOPIC = { '--topic <id>': otherwise('other', choice(TOPIC_IDS, 'the topic')) };
export const TOPICS_LISTED = { '--topic <list>': list(TOPIC_IDS, 'topic ids, comma-separated') };
export const EVENT_TYPES_LISTED = {
  '--types <list>': list(EVENT_TYPES, 'only these event types, comma-separated (default: all)'),
};

export function list(choices: readonly string[], about: string): Spec<string, false> {
  const parse = (value: string): string => {
    const named = value.split(',').map((one) => one.trim());
    const unknown = named.find((one) => !choices.includes(one));
    if (unknown !== undefined)
      throw new InvalidArgumentError(
        `${JSON.stringify(unknown)} is unknown; accepted are ${choices.join(', ')}.`,
      );
    return named.join(',');
  };
  return { about, choices, parse };
}

export const JSON_OUTPUT = { '--json': flag('print the result as JSON') };
export const SERVICE = {
  '--profile <name>': 'the account to use (default: SVC_PROFILE, or the one in use)',
  '--base-url <url>': read(httpUrl, 'the service (default: SVC_BASE_URL, or the profile’s)'),
  ...JSON_OUTPUT,
};
export type ServiceOptions = InputOf<typeof SERVICE>;
