import { expect, test } from 'vitest';
import { inProcessFetch } from '../../src/http/mcp/mount.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ settings: { LIMIT_ANON_PER_MINUTE: '1' } });

test('calls the service with the address of the MCP client', async () => {
  const { app } = service.assembled;
  for (const [host, status] of [
    [1, 200],
    [1, 429],
    [2, 200],
  ])
    expect(await inProcessFetch(app, `192.0.2.${host}`)(`${service.baseUrl}/api/v1/search`)).toMatchObject({
      status,
    });
});

test('finishes a running call while the service stops', async () => {
  const { app } = service.assembled;
  const agent = await service.registerAgent();
  const ask = inProcessFetch(app, '192.0.2.3');
  await app.close();
  await expect(fetch(`${service.baseUrl}/healthz`)).rejects.toThrow();
  const answer = await ask(`${service.baseUrl}/api/v1/etches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Last words.', description: 'd', category_id: 'ai', mode: 'instant' }),
  });
  expect(answer.status).toBe(201);
  const signal = AbortSignal.abort(new Error('given up'));
  await expect(ask(`${service.baseUrl}/healthz`, { signal })).rejects.toThrow('given up');
});
