import { createServer, connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export function useCountingProxy(service: { readonly url: string }): {
  readonly url: string;
  sent: Buffer[];
} {
  let proxy: Server;
  let url = '';
  const kept = {
    get url() {
      return url;
    },
    sent: [] as Buffer[],
  };
  beforeAll(async () => {
    proxy = createServer((near) => {
      const far = connect(Number(new URL(service.url).port), '127.0.0.1');
      near.on('data', (bytes) => {
        kept.sent.push(Buffer.from(bytes));
        far.write(bytes);
      });
      far.pipe(near);
      near.on('end', () => far.end());
      for (const socket of [near, far]) socket.on('error', () => [near, far].forEach((one) => one.destroy()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => void proxy.close());
  return kept;
}
