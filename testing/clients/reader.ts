import { expect } from 'vitest';

export interface Shown {
  status: number;
  headers: Headers;
  text: string;
  location: string | undefined;
}

export interface Reader {
  jar: Map<string, string>;
  open(path: string, headers?: Record<string, string>): Promise<Shown>;
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Shown>;
  signIn(username: string, options?: { social?: string; returnTo?: string }): Promise<Shown>;
  hidden(page: Shown): Record<string, string>;
}

export function newReader(url: string | (() => string)): Reader {
  const baseUrl = typeof url === 'string' ? () => url : url;
  const jar = new Map<string, string>();

  async function ask(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, baseUrl()), {
      ...init,
      headers: {
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(init.headers as Record<string, string>),
      },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (/max-age=0(;|$)/i.test(line) || value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('location') ?? undefined;
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location?.startsWith(baseUrl()) ? location.slice(baseUrl().length) : location,
    };
  }

  const reader: Reader = {
    jar,
    open: (path, headers = {}) => ask(path, { headers }),
    send: (path, fields, headers = {}) =>
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
    async signIn(username, { social = '', returnTo = '/' } = {}) {
      const start = await reader.open(`/sign-in/start?return=${encodeURIComponent(returnTo)}`);
      const asked = await reader.open(start.location!);
      const form = asked.location!;
      expect((await reader.open(form)).text).toContain('<form');
      const entered = await reader.send(form, { username, social_handle: social });
      const back = await reader.open(entered.location!);
      expect(back.location, back.text).toMatch(/^\/sign-in\/callback\?/);
      const home = await reader.open(back.location!);
      expect(home.status, home.text).toBe(303);
      return home;
    },
    hidden: ({ text }) =>
      Object.fromEntries(
        [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name!,
          unescape(value!),
        ]),
      ),
  };
  return reader;
}

function unescape(html: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return html.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => names[name]!);
}
