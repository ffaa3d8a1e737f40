import { isUuid } from '@svc/protocol';
import { readScopeList } from '@svc/protocol/conventions';
import { boundedBody } from '../bounded-body.ts';
import { inTime } from '../in-time.ts';
import { fetchNamed, NotPublic } from '../public-fetch.ts';
import type { Result } from '../verdict-words.ts';

const PATH = '/.well-known/svc-scope.txt';
const PATIENCE_MS = 15_000;
const MOST = 65_536;

export async function checkDomain(
  domain: string,
  accounts: readonly string[],
  service: string,
): Promise<{ result: Result; detail: string }> {
  // This machine has no certificates.
  const isLoopback = /^(?:localhost|127(?:\.\d+){3})(?::|$)/.test(domain);
  const url = `${isLoopback ? 'http' : 'https'}://${domain}${PATH}`;
  try {
    return await inTime(PATIENCE_MS, async (signal) => {
      const response = await fetchNamed(url, service, { signal });
      if (response.status >= 300 && response.status < 400)
        return { result: 'fail', detail: `${url} redirects; the domain itself must serve the list` };
      if (!response.ok)
        return {
          result: response.status >= 500 ? 'wait' : 'fail',
          detail: `${url} answers status ${response.status}`,
        };
      return { ...judgeList((await boundedBody(response, MOST))?.toString('utf8') ?? null, accounts, url) };
    });
  } catch (error) {
    return {
      result: 'wait',
      detail: `${url} ${error instanceof NotPublic ? error.message : 'cannot be reached'}`,
    };
  }
}

function judgeList(
  text: string | null,
  accounts: readonly string[],
  url: string,
): { result: Result; detail: string } {
  if (text === null) return { result: 'fail', detail: `${url} is larger than ${MOST} bytes` };
  const listed = readScopeList(text);
  if (!listed.every(isUuid))
    return { result: 'fail', detail: `${url} is not a list of account ids, one on each line` };
  const missing = accounts.filter((id) => !listed.includes(id));
  const extra = listed.filter((id) => !accounts.includes(id));
  if (missing.length > 0) return { result: 'fail', detail: `${url} does not list the account ${missing[0]}` };
  if (extra.length > 0)
    return {
      result: 'fail',
      detail: `${url} lists the account ${extra[0]}, which the scope does not declare`,
    };
  return { result: 'pass', detail: `${url} lists the same accounts` };
}
