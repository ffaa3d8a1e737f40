// Runs in the soak only.
import { beforeAll, describe, expect, test } from 'vitest';
import { freshHome, type Ran, svc } from '../testing/clients/svc.ts';
import { allAnchored } from '../testing/system/settled.ts';
import type { TestAgent } from '../testing/clients/agents.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { startLyingService, type LyingService } from '../testing/system/lying-service.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const ground = useGround();
const home = freshHome();

const lying = async (lie: LyingService['lie'], url: string): Promise<LyingService> =>
  ground.keep(await startLyingService(url, lie));

describe('an audit of a service that has used all three schemes', () => {
  let old: World;
  const audit = (args: string[], url: string): Promise<Ran> =>
    svc(['audit', ...args, '--base-url', url, '--trust', url], { home });
  let eve: TestAgent;
  const each: Wanted[] = [];

  beforeAll(async () => {
    old = ground.keep(await postgresWorld({ ...ground }));
    for (const scheme of ['single', 'tree-v1', 'tree-v2']) {
      await old.start({ ANCHOR_SCHEME: scheme });
      eve ??= (await old.agents(1))[0]!;
      const load = new Load({ client: old.client, agents: [eve], delayed: 0 });
      for (let made = 0; made < 3; made++) each.push(await load.etch());
      if (scheme !== 'tree-v1') await load.retract(each.at(-1)!);
      await allAnchored(old, each);
      if (scheme !== 'tree-v2') await old.service.stop();
    }
  });

  test.concurrent('says what each scheme proves', async () => {
    const ran = await audit([eve.username], old.url);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 0 });
    expect(ran.out).toContain(`${eve.username}: 3 of 3 leaves, 0 sealed, 2 retracted`);
    expect(ran.out).toMatch(/trees of version 1 name no author: .* 3 hashes .*\(3 in this record\)/);
    expect(ran.out).toContain(
      '3 etches with an attestation of their own: only the service names the authors',
    );
    expect(await audit(['--all'], old.url)).toMatchObject({ status: 0 });
  });

  test.concurrent('reports a hash that is attested alone and unknown to the service', async () => {
    const [first] = each;
    const { hash } = (await old.client.call('GET', `/api/v1/etches/${first!.id}`)).body.etch;
    const liar = await lying((path, body) => {
      if (path.includes(hash)) return { error: { code: 'not_found', message: 'no' } };
      return path.includes('/users/')
        ? { ...body, etches: body.etches.filter((etch: { id: string }) => etch.id !== first!.id) }
        : undefined;
    }, old.url);
    const ran = await audit([eve.username], liar.url);
    expect(ran.status).toBe(1);
    expect(ran.out).toContain(
      `FAIL  etch ${hash} without a tree: the service has no etch with this attested hash`,
    );
  });

  test.concurrent('reports the tree of a missing leaf of version 1', async () => {
    const liar = await lying(
      (path, body) =>
        path.includes('/batches/') && body.batch?.tree_version === 1
          ? { batch: { ...body.batch, leaves: body.batch.leaves.slice(1) } }
          : undefined,
      old.url,
    );
    expect(await audit([eve.username], liar.url)).toMatchObject({ status: 1 });
  });
});
