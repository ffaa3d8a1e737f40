import { usageError } from './exit.ts';

export function usernameOf(target: string, origin: string): string {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return target.replace(/^@/, '');
  const url = new URL(target);
  const name = /^\/(?:u|api\/v1\/users)\/([^/]+?)(?:\/.*|\.\w+)?$/.exec(url.pathname)?.[1];
  if (name === undefined) throw usageError(`${target} is not the url of an account`);
  if (url.origin !== origin)
    throw usageError(
      `${target} is at ${url.origin}, but this command uses ${origin}; name the other service with --base-url`,
    );
  return decodeURIComponent(name);
}
