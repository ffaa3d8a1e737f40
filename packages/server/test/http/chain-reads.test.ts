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
    const verify = (address: string) => service.get(`/api/v1/verify/${id}`, from(address));
    const spent = '198.51.100.1';
    expect((await verify(spent)).body.checks[2]).toMatchObject({ key: 'chain', verdict: 'pass' });
    await service.post('/rpc', batch(20), from(spent));
    await service.post('/rpc', batch(9), from(spent));
    const refused = await verify(spent);
    expect(refused.status).toBe(200);
    const [words, tree, chain] = refused.body.checks;
    expect([words.verdict, tree.verdict]).toEqual(['pass', 'pass']);
    expect(chain).toMatchObject({ verdict: 'wait', badge: 'unreachable' });
    expect(chain.detail).toContain('too many chain reads from this address: at most 30 in a minute');
    const page = await service.get(`/e/${id}/verify`, {
      headers: { 'x-forwarded-for': spent, accept: 'text/html' },
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain('too many chain reads from this address');
    expect((await verify('198.51.100.2')).body.checks[2].verdict).toBe('pass');
    const evidence = await service.get(`/api/v1/etches/${id}/evidence`, from(spent));
    expect(evidence.status).toBe(429);
  });
});

describe('chain reads of all addresses', () => {
  const service = useService({ settings: { LIMIT_RPC_PER_MINUTE: '25', TRUST_PROXY: 'loopback' } });
  const ask = (address: string, size: number, method?: string) =>
    service.post('/rpc', batch(size, method), from(address));

  test('are limited together', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      expect((await ask(address, 20, 'evm_mine')).status).toBe(200);
    expect((await ask('192.0.2.4', 20)).status).toBe(200);
    expect((await ask('192.0.2.5', 20)).status).toBe(200);
    const over = await ask('192.0.2.6', 20);
    expect(over.status).toBe(429);
    expect(over.body.error.message).toContain('too many chain reads from all addresses together');
    expect((await ask('192.0.2.6', 10)).status).toBe(200);
    expect((await ask('192.0.2.7', 1)).status).toBe(429);
  });
});
