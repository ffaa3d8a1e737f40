import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../testing/wait.ts';
import { painter, wantsColors } from '../src/context.ts';
import { openerOf } from '../src/open-page.ts';
import { freshHome } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const env = { SVC_BASE_URL: 'https://svc.example.org' };

test('prints the address of the page when there is no display', async () => {
  for (const [args, path] of [
    [['show', ID.toUpperCase()], `/e/${ID}`],
    [['challenge', 'show', `https://svc.example.org/ch/${ID}`], `/ch/${ID}`],
    [['record', 'ada'], '/u/ada'],
    [['record', 'https://svc.example.org/u/ada.md'], '/u/ada'],
    [['record', '../$(id);x'], '/u/..%2F%24(id)%3Bx'],
  ] as const) {
    const url = `https://svc.example.org${path}`;
    expect(await svcHere([...args, '--web'], { env })).toMatchObject({ status: 0, out: `${url}\n` });
    const json = await svcHere([...args, '--web', '--json'], { env });
    expect(JSON.parse(json.out)).toEqual({ url, opened: false });
  }
});

test('passes the address to the browser as one argument, without a shell', async () => {
  const home = freshHome();
  const [browser, got] = [join(home, 'a browser'), join(home, 'got')];
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > '${got}.new' && mv '${got}.new' '${got}'\n`);
  chmodSync(browser, 0o755);
  await ends(svcHere(['record', 'a;touch pwned', '--web'], { env: { ...env, BROWSER: browser } }), 0, {
    out: '',
    err: 'opened https://svc.example.org/u/',
  });
  await eventually('the browser', () => existsSync(got));
  expect(readFileSync(got, 'utf8')).toBe('1\nhttps://svc.example.org/u/a%3Btouch%20pwned\n');

  const missing = await svcHere(['record', 'ada', '--web'], { env: { ...env, BROWSER: join(home, 'none') } });
  expect(missing).toMatchObject({ status: 0, out: 'https://svc.example.org/u/ada\n' });
});

test('uses the opener of each system, without a shell', () => {
  expect(openerOf('linux', {})).toBeUndefined();
  expect(openerOf('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
  expect(openerOf('darwin', {})).toEqual(['open']);
  expect(openerOf('win32', {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler']);
});

test('colors need a terminal, end with NO_COLOR, and mark verdicts but no text of an author', () => {
  expect(wantsColors({ TERM: 'xterm' }, true)).toBe(true);
  expect(wantsColors({ NO_COLOR: '' }, true)).toBe(true);
  expect(wantsColors({ NO_COLOR: '1' }, true)).toBe(false);
  expect(wantsColors({ TERM: 'dumb' }, true)).toBe(false);
  expect(wantsColors({}, undefined)).toBe(false);
  const text = 'PASS  The words: match\n      FAIL: no\nWAIT: later\nPASSING\nINFO  PASS\n';
  expect(painter('verify')(text)).toBe(
    '\u001b[32mPASS\u001b[39m  The words: match\n      FAIL: no\n\u001b[33mWAIT\u001b[39m: later\nPASSING\nINFO  PASS\n',
  );
  expect(painter('show')(text)).toBe(text);
});
