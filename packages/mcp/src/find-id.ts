import type { Client } from '@svc/sdk';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CODE = /^[2-9a-hjkmnp-z]{6}$/i;

/** @throws {TypeError} when the name is not of an etch of this service */
export const findEtchId = (named: string, client: Client): Promise<string> =>
  find(named, client.origin, {
    what: 'etch',
    path: /^\/(?:e|api\/v1\/(?:etches|verify))\/([^/.]+)/i,
    byCode: async (code) => (await client.findByCode(code)).id,
  });

export const findChallengeId = (named: string, client: Client): Promise<string> =>
  find(named, client.origin, {
    what: 'challenge',
    path: /^\/(?:ch|api\/v1\/challenges)\/([^/.]+)/i,
    byCode: (code) => client.findChallengeByCode(code),
  });

interface Kind {
  what: string;
  /** the first group is the id or code */
  path: RegExp;
  byCode: (code: string) => Promise<string>;
}

async function find(named: string, origin: string, { what, path, byCode }: Kind): Promise<string> {
  const given = named.trim();
  const name = /^https?:\/\//i.test(given) ? inUrl(given) : given;
  if (UUID.test(name)) return name.toLowerCase();
  if (CODE.test(name)) return byCode(name);
  throw new TypeError(`this names no ${what} of the service: give the ${what}’s id, code or url`);

  function inUrl(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // Untrusted text can contain any URL.
    if (url?.origin !== origin)
      throw new TypeError(`the url is of a different service: these tools work with ${origin}`);
    return path.exec(url.pathname)?.[1] ?? '';
  }
}
