import { join } from 'node:path';

export interface Ports {
  peers: number;
  etcd: number;
  rest: number;
  postgres: number;
  pgbouncer: number;
}

const at = (port: number): string => `127.0.0.1:${port}`;

/** Three members tolerate the loss of one. */
export function etcdArguments(name: string, dataDir: string, all: ReadonlyMap<string, Ports>): string[] {
  const { peers, etcd } = all.get(name)!;
  const cluster = [...all].map(([other, ports]) => `${other}=http://${at(ports.peers)}`).join(',');
  return Object.entries({
    name,
    'data-dir': dataDir,
    'listen-client-urls': `http://${at(etcd)}`,
    'advertise-client-urls': `http://${at(etcd)}`,
    'listen-peer-urls': `http://${at(peers)}`,
    'initial-advertise-peer-urls': `http://${at(peers)}`,
    'initial-cluster': cluster,
    'initial-cluster-state': 'new',
    'log-level': 'warn',
  }).map(([key, value]) => `--${key}=${value}`);
}

/** JSON is YAML. Replication is strictly synchronous, and `ttl` is the shortest that Patroni allows. */
export function patroniSettings(
  name: string,
  folder: string,
  all: ReadonlyMap<string, Ports>,
  binDir: string,
): string {
  const { rest, postgres } = all.get(name)!;
  return JSON.stringify({
    scope: 'svc',
    name,
    restapi: { listen: at(rest), connect_address: at(rest) },
    etcd3: { hosts: [...all.values()].map(({ etcd }) => at(etcd)) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        primary_start_timeout: 10,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: at(postgres),
      connect_address: at(postgres),
      data_dir: join(folder, 'data'),
      bin_dir: binDir,
      pgpass: join(folder, 'pgpass'),
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'postgres' },
        rewind: { username: 'postgres' },
      },
    },
    watchdog: { mode: 'off' },
  });
}

/** PgBouncer connects to its own server only; the client finds the primary. */
export function pgbouncerSettings(
  folder: string,
  { postgres, pgbouncer }: Pick<Ports, 'postgres' | 'pgbouncer'>,
): string {
  return [
    '[databases]',
    `* = host=127.0.0.1 port=${postgres}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${pgbouncer}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users')}`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 1000',
    // Waiting clients soon get an error.
    'server_login_retry = 1',
    'query_wait_timeout = 5',
    '',
  ].join('\n');
}
