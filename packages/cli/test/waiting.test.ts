import { expect, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import { madeAnswer } from '../../../testing/clients/example-answers.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const made = madeAnswer({ content: 'High water.', description: 'Tide', category_id: 'other' });
const pending = made.etch;
const status = {
  parts: [],
  anchoring: { pending: 2, open_transactions: 0, failing_since: null },
  relayer: {},
};

const startSlow = () =>
  startServer((request, response) => {
    const answer = request.url === '/status' ? status : request.method === 'POST' ? made : { etch: pending };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });

test('stops waiting for the chain after the timeout, and shows the etch and why it waits', async () => {
  const slow = await startSlow();
  const env = { SVC_BASE_URL: slow.url, SVC_API_KEY: 'svc_sk_test' };
  const etched = await svcHere(
    ['etch', 'High water.', '--description', 'Tide', '--wait', '--timeout', '1', '--field', 'etch.id'],
    { env },
  );
  expect(etched, etched.err).toMatchObject({ status: 2, out: `${pending.id}\n` });
  expect(etched.err).toContain('waiting for the chain, at most 1 seconds');
  expect(etched.err).toContain('not anchored yet: 2 etches waiting for the next tree\n');
  expect(etched.err).toContain(
    `Not anchored within 1 seconds. The etch exists and will be anchored; wait with: svc watch ${pending.code}`,
  );

  const watched = await ends(svcHere(['watch', pending.id, '--timeout', '1', '--json'], { env }), 2, {
    err: '2 etches waiting',
  });
  expect(JSON.parse(watched.out).error).toMatchObject({ code: 'timeout' });
  await slow.stop();
});
