import { expect, test } from 'vitest';
import { json, startFaultServer } from '../../../testing/clients/fault-server.ts';
import { useStdio } from './support/stdio.ts';

const { connect } = useStdio({ url: 'http://svc.test' });

test('the program sends its requests through the proxy of HTTP_PROXY', async () => {
  const proxy = await startFaultServer();
  proxy.fates = [json(200, { etches: [], page: { number: 1, pages: 1, total: 0, limit: 30 } })];
  const { raw } = await connect({ HTTP_PROXY: proxy.url });
  await raw('search', { query: 'herons' });
  await proxy.close();
  expect(proxy.seen[0]?.path).toMatch(/^http:\/\/svc\.test\/api\/v1\/search\?/);
});

test('a proxy variable that is no url ends the program, and its value is not shown', async () => {
  await expect(connect({ HTTPS_PROXY: 'ftp://ada:hidden@proxy.test' })).rejects.toThrow();
});
