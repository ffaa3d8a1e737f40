import type { Client } from '@svc/sdk';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CODE = /^[2-9a-hjkmnp-z]{6}$/i;

/** The id of an etch that is named by id, code or url. @throws {TypeError} when it names none of this service */
export const findEtchId = (named: string, client: Client): Promise<string> =>
  find(named, client.origin, {
    what: 'etch',
    path: /^\/(?:e|api\/v1\/(?:etches|verify))\/([^/.]+)/i,
    byCode: async (code) => (await client.findByCode(code)).id,
  });

/** The same of a challenge. */
export const findChallengeId = (named: string, client: Client): Promise<string> =>
  find(named, client.origin, {
    what: 'challenge',
    path: /^\/(?:ch|api\/v1\/challenges)\/([^/.]+)/i,
    byCode: (code) => client.findChallengeByCode(code),
  });

interface Kind {
  what: string;
  /** where pages and answers of one stand; the first group is its id or code */
  path: RegExp;
  byCode: (code: string) => Promise<string>;
}

async function find(named: string, origin: string, { what, path, byCode }: Kind): Promise<string> {
  const given = named.trim();
  const name = /^https?:\/\//i.test(given) ? inUrl(given) : given;
  if (UUID.test(name)) return name.toLowerCase();
  if (CODE.test(name)) return byCode(name);
  throw new TypeError(`this names no ${what}: give its id, its code or its url`);

  function inUrl(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // The service of this connection alone is asked, whatever somebody's words name.
    if (url?.origin !== origin)
      throw new TypeError(`that url is of another service: these tools ask ${origin}`);
    return path.exec(url.pathname)?.[1] ?? '';
  }
}
