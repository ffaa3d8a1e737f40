// Runs in the soak only.
import { expect, test } from 'vitest';
import { allAnchored } from '../testing/system/settled.ts';
import { eventually } from '../testing/wait.ts';
import { Load } from '../testing/system/load.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';
import { ends } from '../testing/clients/ends.ts';

const ground = useGround();
const WARNING = /^the relayer attested under this schema before this database was created/;

const attestedBefore = async ({ client }: World): Promise<boolean> =>
  (await client.call('GET', '/status', { headers: { accept: 'application/json' } })).body.relayer
    .attested_before;

test('reports an empty database whose relayer attested before, in the log, on /status, in a metric and by chain check', async () => {
  const { postgres, chain } = ground;
  const relayer = await chain.newRelayer();
  const first = ground.keep(await postgresWorld({ postgres, chain, relayer }));
  await first.start();
  const load = new Load({ client: first.client, agents: await first.agents(1), retracted: 0, delayed: 0 });
  await load.etch();
  await allAnchored(first, load.wanted);
  const { batches } = (await first.client.call('GET', '/api/v1/batches')).body;
  const uid: string = batches[0].attestation_uid;
  const known = await svcAdmin(first.settings, 'chain', 'check', '--json');
  expect(known.json, known.err).toMatchObject({ ok: true, faults: [] });
  expect(known.json.checked['attestations on the chain']).toBeGreaterThan(0);
  expect(await attestedBefore(first)).toBe(false);
  await first.service.stop();

  const empty = ground.keep(await postgresWorld({ postgres, chain, relayer }));
  const service = await empty.start();
  await eventually('the log warns', () => service.log().some(({ msg }) => WARNING.test(msg)));
  await eventually('the page tells it', () => attestedBefore(empty));
  expect(await (await fetch(`${empty.url}/status`)).text()).toContain(
    'It attested here before this database began',
  );
  expect(await (await fetch(`${empty.url}/metrics`)).text()).toMatch(/^svc_relayer_attested_before 1$/m);
  const check = await ends(svcAdmin(empty.settings, 'chain', 'check', '--json'), 1);
  expect(check.json.faults).toContainEqual(
    expect.objectContaining({
      kind: 'attestation',
      id: uid,
      what: expect.stringMatching(/commits 1 etch, .*the database does not have it/),
    }),
  );

  const more = new Load({ client: empty.client, agents: await empty.agents(1), retracted: 0, delayed: 0 });
  await more.etch();
  await allAnchored(empty, more.wanted);
  await service.stop();
  const again = await empty.start();
  await eventually('the log warns again', () => again.log().some(({ msg }) => WARNING.test(msg)));
  expect((await svcAdmin(empty.settings, 'chain', 'check')).out).toContain(`FAULT attestation ${uid}`);
  await again.stop();
});
