import { expect } from 'vitest';

export async function signInByForm(origin: string, url: string, username: string): Promise<string> {
  const jar = new Map<string, string>();
  const open = async (target: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(target, origin), {
      ...init,
      headers: { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
      jar.set(name, value);
    }
    return response;
  };
  const form = (await open(url)).headers.get('location')!;
  expect(await (await open(form)).text()).toContain('<h1>Sign in with a name</h1>');
  const sent = await open(form, {
    method: 'POST',
    headers: { origin: origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username }).toString(),
  });
  const back = await open(sent.headers.get('location')!);
  return back.headers.get('location')!;
}
