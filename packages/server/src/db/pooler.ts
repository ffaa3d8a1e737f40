import pg from 'pg';
import { databaseUrls } from './hosts.ts';

const PATIENCE_MS = 5_000;

/** A pooler such as PgBouncer sends its own process id, and rejects startup options. */
export async function isPooled(url: string): Promise<boolean> {
  let reason: unknown;
  for (const connectionString of databaseUrls(url)) {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const { processID } = client as unknown as { processID: number };
      return rows[0]?.pid !== processID;
    } catch (error) {
      reason = error;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw reason;
}
