import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  breakOff,
  type FaultServer,
  refuse,
  startFaultServer,
} from '../../../testing/clients/fault-server.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { useStdio } from './support/stdio.ts';
import { text } from './support/tools.ts';

let server: FaultServer;
const { connectHere } = useStdio({
  get url() {
    return server.url;
  },
});
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

test('returns the key for a retry when the answer to an etch is lost', async () => {
  server.fates = [breakOff];
  const { refusal } = await connectHere({ XDG_CONFIG_HOME: newFolder('config'), SVC_API_KEY: 'svc_sk_test' });
  const { code, hint, idempotency_key: key } = await refusal('etch', text);
  expect({ code, key }).toEqual({ code: 'no_answer', key: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(hint).toContain('repeat the same call with this idempotency_key');
  const keys = () => new Set(server.seen.map(({ headers }) => headers['idempotency-key']));
  expect(keys()).toEqual(new Set([key]));
  server.seen.length = 0;
  await refusal('etch', { ...text, idempotency_key: key });
  expect(keys()).toEqual(new Set([key]));
});

test('stores nothing of a rejected registration, and names the key file of one without an answer', async () => {
  const home = newFolder('config');
  const files = () => (existsSync(join(home, 'svc')) ? readdirSync(join(home, 'svc')) : []);
  const { refusal } = await connectHere({ XDG_CONFIG_HOME: home });
  server.fates = [refuse(404, 'not_found'), refuse(429, 'rate_limited', { 'retry-after': '3600' })];
  expect(await refusal('register')).toMatchObject({ code: 'rate_limited' });
  expect(files()).toEqual([]);
  server.fates = [refuse(404, 'not_found'), breakOff];
  const { code, message } = await refusal('register');
  expect(code).toBe('no_answer');
  const [file] = files();
  expect(file).toMatch(/^profiles\.json\.default\.unconfirmed-1$/);
  expect(message).toContain(
    `the new key pair is kept in ${join(home, 'svc', file!)} on the machine of svc-mcp`,
  );
  expect(message).not.toContain(readFileSync(join(home, 'svc', file!), 'utf8').trim());
});
