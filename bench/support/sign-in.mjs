/** @returns {Promise<string>} the session's cookie */
export async function signIn(port, username) {
  const origin = `http://127.0.0.1:${port}`;
  const jar = new Map();
  const open = async (path, form) => {
    const response = await fetch(new URL(path, origin), {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: cookies(jar),
        ...(form && { origin, 'sec-fetch-site': 'same-origin' }),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      jar.set(name, value);
    }
    await response.arrayBuffer();
    return response.headers.get('location');
  };
  const form = await open(await open('/sign-in/start?return=/'));
  await open(form);
  await open(await open(await open(form, { username, social_handle: '' })));
  return cookies(jar);
}

const cookies = (jar) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
