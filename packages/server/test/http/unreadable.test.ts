import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ settings: { LIMIT_KEY_PER_MINUTE: '50' } });

function exchange(
  text: string,
): Promise<{ status: number; headers: string; body: { error: { code: string } } }> {
  const { port, hostname } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n');
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1]),
        headers: headers.toLowerCase(),
        body: JSON.parse(body) as { error: { code: string } },
      });
    });
  });
}

describe('unreadable requests get the error envelope', () => {
  test.each([
    ['no HTTP', 'NONSENSE\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/etches HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
    ],
    ['large headers', `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['no host', 'GET /api/v1/challenges HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s', async (_name, text) => {
    const answer = await exchange(text);
    expect(answer.status).toBe(400);
    expect(answer.headers).toContain('content-type: application/json');
    expect(answer.body.error.code).toBe('bad_request');
  });
});

describe('answers to a valid key have its rate-limit headers', () => {
  test.each([
    ['a URL that is not validly encoded', '/api/v1/etches/%ZZ', 400],
    ['an id of great length', `/api/v1/etches/${'a'.repeat(3_000)}`, 404],
  ])('%s', async (_name, path, status) => {
    const { key } = await service.registerAgent();
    const answer = await service.get(path, key);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('49');
    const unknown = await service.get(path, 'svc_sk_no');
    expect(unknown.status).toBe(401);
  });

  test('a repeated header', async () => {
    const { key } = await service.registerAgent();
    const answer = await exchange(
      `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(400);
    expect(answer.headers).toContain('x-ratelimit-remaining: 49');
  });
});
