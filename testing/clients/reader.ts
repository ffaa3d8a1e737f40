import { expect } from 'vitest';

export interface Shown {
  status: number;
  headers: Headers;
  text: string;
  location: string | undefined;
}

/** A browser without scripts. Locations on the service are relative. */
export type Reader = ReturnType<typeof newReader>;

export function newReader(url: string | (() => string)) {
  const baseUrl = typeof url === 'string' ? () => url : url;
  const jar = new Map<string, string>();
  const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  async function ask(path: string, init: RequestInit): Promise<Shown> {
    const headers = { accept: 'text/html', ...(jar.size > 0 && { cookie: cookie() }), ...init.headers };
    const response = await fetch(new URL(path, baseUrl()), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
      if (/max-age=0(;|$)/i.test(line) || value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location') ?? undefined;
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location?.startsWith(`${baseUrl()}/`) ? location.slice(baseUrl().length) : location,
    };
  }

  const reader = {
    jar,
    cookie,
    open: (path: string, headers: Record<string, string> = {}) => ask(path, { headers }),
    post: (path: string, body: string, headers: Record<string, string>) =>
      ask(path, { method: 'POST', body, headers }),
    send: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString().replaceAll('%0A', '%0D%0A'),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(baseUrl()).origin,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      }),
    /** Fills in the form of the embedded issuer. Returns the redirect to the client. */
    async enter(authorizeUrl: string, username: string, social = ''): Promise<Shown> {
      const form = (await reader.open(authorizeUrl)).location!;
      expect((await reader.open(form)).text).toContain('<form');
      return reader.open((await reader.send(form, { username, social_handle: social })).location!);
    },
    async signIn(username: string, { social = '', returnTo = '/' } = {}): Promise<Shown> {
      const start = await reader.open(`/sign-in/start?return=${encodeURIComponent(returnTo)}`);
      const back = await reader.enter(start.location!, username, social);
      expect(back.location, back.text).toMatch(/^\/sign-in\/callback\?/);
      const home = await reader.open(back.location!);
      expect(home.status, home.text).toBe(303);
      return home;
    },
    hidden: ({ text }: Shown): Record<string, string> =>
      Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name!,
          unescape(value!),
        ]),
      ),
  };
  return reader;
}

export async function signedIn({ baseUrl }: { baseUrl: string }, name: string): Promise<Reader> {
  const reader = newReader(baseUrl);
  await reader.signIn(name);
  return reader;
}

export const signInByForm = async (origin: string, authorizeUrl: string, username: string): Promise<string> =>
  (await newReader(origin).enter(authorizeUrl, username)).location!;

function unescape(html: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return html.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => names[name]!);
}
