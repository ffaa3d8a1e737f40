import pg from 'pg';
import { newDatabase, type PostgresServer, startPostgres } from './postgres.ts';
import { eventually } from '../wait.ts';

export interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const primary = await startPostgres();
  let standby: PostgresServer | undefined;
  const stop = async (): Promise<void> => {
    await standby?.stop();
    await primary.kill9();
    await primary.stop();
  };
  try {
    standby = await startPostgres({ standbyOf: primary });
    await commitWithStandby(primary);
    const one = new URL(await newDatabase(primary));
    const { host } = new URL(standby.url);
    return { primary, standby, databaseUrl: one.href.replace(one.host, `${one.host},${host}`), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function commitWithStandby(primary: PostgresServer): Promise<void> {
  await ask(primary, "alter system set synchronous_standby_names = 'standby'");
  await ask(primary, 'select pg_reload_conf()');
  await eventually('the standby follows', async () => {
    const [row] = await ask(primary, 'select sync_state from pg_stat_replication');
    return row?.['sync_state'] === 'sync';
  });
}

export async function ask(server: PostgresServer, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
