// Runs in the soak only.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newDatabase } from '../testing/database/postgres.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { keepSecret } from '../testing/system/secrets.ts';
import { type ServiceProcess } from '../testing/system/service-process.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';

const ground = useGround();

const PASSWORD = `word-${randomBytes(12).toString('hex')}`;
keepSecret('a password in a url', PASSWORD);

function newKey(name: string): string {
  const key = randomBytes(32).toString('hex');
  keepSecret(name, key);
  return key;
}

const logged = (service: ServiceProcess, wanted: RegExp): Promise<unknown> =>
  eventually(`the log says ${wanted}`, () => service.log().find(({ msg }) => wanted.test(msg)));

const warnings = (service: ServiceProcess): string[] =>
  service
    .log()
    .filter(({ level }) => level === 40)
    .map(({ msg }) => msg);

describe.concurrent('a start names the setting, the host and the cause', () => {
  test('of Redis, issuer, standby and chain that cannot be reached, and of a relayer without coin', async () => {
    const { postgres, chain } = ground;
    const nowhere = `127.0.0.1:${await lastingPort()}`;
    const DATABASE_READ_URL = `postgres://reader:${PASSWORD}@${nowhere}/lists`;
    const world = ground.keep(
      await postgresWorld(
        { postgres, chain },
        {
          REDIS_URL: `redis://:${PASSWORD}@${nowhere}`,
          IDENTITY_ISSUER: `http://${nowhere}`,
          DATABASE_READ_URL,
          RELAYER_PRIVATE_KEY: `0x${newKey('the key of a poor relayer')}`,
        },
      ),
    );
    const service = await world.start({}, { until: 'listening' });
    const refused = /nothing listens there, or a firewall rejects the connection \(ECONNREFUSED\)/.source;
    await logged(service, new RegExp(`^REDIS_URL: ${nowhere} cannot be used: ${refused}; `));
    await logged(
      service,
      new RegExp(
        `^IDENTITY_ISSUER: people cannot sign in now: http://${nowhere} cannot be reached: ${refused}`,
      ),
    );
    await logged(
      service,
      /^RELAYER_PRIVATE_KEY: its account 0x[0-9a-f]{40} has no coin on .*send coin to it$/i,
    );
    await logged(service, /^setting: IDENTITY_CLIENT_ID is not set: .*people cannot sign in on the pages/);
    const standby = await eventually('the log says why the standby serves nothing', () =>
      service
        .log()
        .find(({ reason }) => typeof reason === 'string' && reason.startsWith('DATABASE_READ_URL: ')),
    );
    expect(standby.reason).toMatch(new RegExp(`${nowhere} cannot be reached: ${refused}`));
    // Public answers name no host.
    const ready = await (await fetch(`${world.url}/readyz`)).text();
    expect(ready).not.toContain(nowhere);
    await service.stop();

    const away = await world.start(
      {
        CHAIN_RPC_URL: `http://${nowhere}/${PASSWORD}`,
        RELAYER_PRIVATE_KEY: `0x${newKey('another relayer')}`,
      },
      { until: 'listening' },
    );
    await logged(
      away,
      new RegExp(`^CHAIN_RPC_URL: ${nowhere} cannot be reached \\(ECONNREFUSED\\): etches are accepted`),
    );
    expect(warnings(away).join('\n')).not.toContain('no coin');
    await away.stop();
  });

  test('of no problem when all settings work', async () => {
    const { postgres, chain } = ground;
    const world = ground.keep(
      await postgresWorld({ databaseUrl: await newDatabase(postgres), chain }, { NODE_ENV: 'production' }),
    );
    const service = await world.start();
    expect(warnings(service)).toEqual([
      expect.stringMatching(/^people cannot sign in, agents can: set IDENTITY_ISSUER/),
    ]);
  });
});
