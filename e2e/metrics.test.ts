import { expect, test } from 'vitest';
import { newFolder } from './support/folder.ts';
import { startService } from './support/service-process.ts';

test('/metrics tells of requests and of anchoring, in Prometheus text', async () => {
  const service = await startService({ PORT: '0', DATA_DIR: newFolder('data'), DEVNET_PORT: '0' });
  try {
    await fetch(`${service.url}/api/v1/challenges`);
    await fetch(`${service.url}/api/v1/nowhere`);
    const answer = await fetch(`${service.url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toMatch(/^svc_request_seconds_count\{operation="listChallenges",status="200"\} 1$/m);
    expect(text).toMatch(/^svc_request_seconds_count\{operation="other",status="404"\} 1$/m);
    expect(text).toMatch(/^svc_anchor_pending 0$/m);
    expect(Number(/^svc_relayer_balance_ether (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  } finally {
    await service.stop();
  }
});
