import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const call = (id: number, method = 'eth_chainId') => ({ jsonrpc: '2.0', id, method, params: [] });
const batch = (size: number, method?: string) => Array.from({ length: size }, (_, id) => call(id, method));
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('chain reads of one address', () => {
  const service = useService({
    chain: true,
    settings: { LIMIT_RPC_PER_MINUTE: '30', TRUST_PROXY: 'loopback' },
  });

  test('counts each call of a batch, and rejects a whole batch over the limit', async () => {
    const ask = (size: number) => service.post('/rpc', batch(size), from('192.0.2.1'));
    const first = await ask(20);
    expect(first.status).toBe(200);
    expect(first.body).toHaveLength(20);
    const second = await ask(20);
    expect(second.status, second.text).toBe(429);
    expect(second.body.error.message).toContain('too many chain reads from this address');
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(second.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect((await ask(5)).body).toHaveLength(5);
    expect((await ask(6)).status).toBe(429);
    expect((await service.post('/rpc', call(1), from('192.0.2.2'))).status).toBe(200);
  });

  test('reports a pending chain check, with the reason, over the limit', async () => {
    const agent = await service.registerAgent();
    const { id } = await service.etch(agent);
    await service.anchor();
    const verify = async (address: string) =>
      (await service.get(`/api/v1/verify/${id}`, from(address))).body.checks;
    const spent = '198.51.100.1';
    expect((await verify(spent))[2]).toMatchObject({ key: 'chain', verdict: 'pass' });
    await service.post('/rpc', batch(20), from(spent));
    await service.post('/rpc', batch(9), from(spent));
    const detail = expect.stringContaining('too many chain reads from this address: at most 30 in a minute');
    const [pass, chain] = [{ verdict: 'pass' }, { verdict: 'wait', badge: 'unreachable', detail }];
    expect(await verify(spent)).toMatchObject([pass, pass, chain]);
    const headers = { 'x-forwarded-for': spent, accept: 'text/html' };
    const page = await service.get(`/e/${id}/verify`, { headers });
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('too many chain reads from this'),
    ]);
    expect((await verify('198.51.100.2'))[2].verdict).toBe('pass');
    expect((await service.get(`/api/v1/etches/${id}/evidence`, from(spent))).status).toBe(429);
  });
});

describe('chain reads of all addresses', () => {
  const service = useService({ settings: { LIMIT_RPC_PER_MINUTE: '25', TRUST_PROXY: 'loopback' } });
  const ask = (address: string, size: number, method?: string) =>
    service.post('/rpc', batch(size, method), from(address));

  test('are limited together', async () => {
    for (const [host, size, status, method] of [
      [1, 20, 200, 'evm_mine'],
      [2, 20, 200, 'evm_mine'],
      [3, 20, 200, 'evm_mine'],
      [4, 20, 200],
      [5, 20, 200],
      [6, 20, 429],
      [6, 10, 200],
      [7, 1, 429],
    ] as const) {
      const answer = await ask(`192.0.2.${host}`, size, method);
      expect(answer.status, `${host}`).toBe(status);
      if (status === 429) expect(answer.text).toContain('too many chain reads from all addresses together');
    }
  });
});
