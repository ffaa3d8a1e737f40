import { ApiError } from '@svc/sdk';
import { strangerAt, unreadable } from './ask-service.ts';
import { inputError, usageError } from './exit.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CODE = '[2-9a-hjkmnp-z]{6}';
const NAMED = new RegExp(`^(?:${UUID}|${CODE})$`, 'i');
const IN_PATH = new RegExp(`^/(?:ch|api/v1/challenges)/(${UUID}|${CODE})(?=[/.]|$)`, 'i');

export function challengeOfUrl(target: string): { origin: string; name: string } | undefined {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { origin, pathname } = new URL(target);
  const name = IN_PATH.exec(pathname)?.[1];
  return name === undefined ? undefined : { origin, name };
}

export async function findChallengeId(target: string, origin: string): Promise<string> {
  const url = challengeOfUrl(target);
  const name = url?.name ?? target;
  if (!NAMED.test(name)) throw usageError(`${target} is neither the id, the code nor the url of a challenge`);
  if (url !== undefined && url.origin !== origin)
    throw usageError(
      `${target} is at ${url.origin}, but this command uses ${origin}; name the other service with --base-url`,
    );
  return name.length > 6 ? name.toLowerCase() : idOfCode(origin, name);
}

async function idOfCode(origin: string, code: string): Promise<string> {
  try {
    return await strangerAt(origin).findChallengeByCode(code);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw inputError(`${origin} has no challenge with code ${code}`);
    throw unreadable(error, `${origin}/ch/${code}`);
  }
}
