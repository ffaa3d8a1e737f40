type Program = 'redis-server' | 'openssl' | 'etcd' | 'patroni' | 'pgbouncer' | 'nginx' | 'caddy';
/** Installed if there is none. */
export function ensureProgram(name: Program): Promise<string>;
export function ensurePatroni(): Promise<{
  etcd: string;
  patroni: string;
  pgbouncer: string;
  /** folder of the PostgreSQL programs */
  binDir: string;
}>;
