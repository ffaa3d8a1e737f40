import { ApiError, type Client } from '@svc/sdk';
import type { Context } from './context.ts';
import type { ServiceOptions } from './options.ts';
import { clientOf } from './session.ts';
import { clientWithoutKey, readErrorOf } from './service-requests.ts';
import { inputError, usageError } from './exit.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CODE = '[2-9a-hjkmnp-z]{6}';
const NAME = new RegExp(`^(?:${UUID}|${CODE})$`, 'i');
const ETCH_PATH = new RegExp(
  `^/(?:(?:e|api/v1/etches|api/v1/verify)/(?=${UUID})|e/(?=${CODE}))(${UUID}|${CODE})(?=[/.]|$)`,
  'i',
);
const CHALLENGE_PATH = new RegExp(`^/(?:ch|api/v1/challenges)/(${UUID}|${CODE})(?=[/.]|$)`, 'i');

/** An id or a code, of an etch or of a challenge. */
export const isName = (target: string): boolean => NAME.test(target);

export const isUrl = (target: string): boolean => /^https?:\/\//i.test(target) && URL.canParse(target);

export const etchInPath = (pathname: string): string | undefined => ETCH_PATH.exec(pathname)?.[1];

export const ETCH = { '<etch>': 'the etch’s id, code or url' };

export async function openEtch(
  { etch, ...options }: ServiceOptions & { etch: string },
  context: Context,
): Promise<{ client: Client; id: string }> {
  const client = clientOf(options, context);
  return { client, id: await findEtchId(etch, client.origin) };
}

export async function findEtchId(target: string, origin: string): Promise<string> {
  if (isName(target)) return idOf('etch', target, origin);
  if (!isUrl(target)) throw usageError(`${target} is neither the id, the code nor the url of an etch`);
  refuseOtherOrigin(target, origin);
  const name = etchInPath(new URL(target).pathname);
  if (name === undefined) throw usageError(`${target} is not the url of an etch`);
  return idOf('etch', name, origin);
}

export function challengeOfUrl(target: string): string | undefined {
  return isUrl(target) ? CHALLENGE_PATH.exec(new URL(target).pathname)?.[1] : undefined;
}

export async function findChallengeId(target: string, origin: string): Promise<string> {
  const inUrl = challengeOfUrl(target);
  const name = inUrl ?? target;
  if (!isName(name)) throw usageError(`${target} is neither the id, the code nor the url of a challenge`);
  if (inUrl !== undefined) refuseOtherOrigin(target, origin);
  return idOf('challenge', name, origin);
}

export function usernameOf(target: string, origin: string): string {
  if (!isUrl(target)) return target.replace(/^@/, '');
  const name = /^\/(?:u|api\/v1\/users)\/([^/]+?)(?:\/.*|\.\w+)?$/.exec(new URL(target).pathname)?.[1];
  if (name === undefined) throw usageError(`${target} is not the url of an account`);
  refuseOtherOrigin(target, origin);
  return decodeURIComponent(name);
}

export function refuseOtherOrigin(target: string, origin: string): void {
  const { origin: other } = new URL(target);
  if (other !== origin)
    throw usageError(
      `${target} is at ${other}, but this command uses ${origin}; name the other service with --base-url`,
    );
}

/** Reads the id of a code from the service. */
export async function idOf(what: 'etch' | 'challenge', name: string, origin: string): Promise<string> {
  if (name.length > 6) return name.toLowerCase();
  const client = clientWithoutKey(origin);
  try {
    return what === 'etch' ? (await client.findByCode(name)).id : await client.findChallengeByCode(name);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw inputError(`${origin} has no ${what} with code ${name}`);
    throw readErrorOf(error, `${origin}/${what === 'etch' ? 'e' : 'ch'}/${name}`);
  }
}
