export function ensurePatroni(): Promise<{
  etcd: string;
  patroni: string;
  pgbouncer: string;
  /** folder of the PostgreSQL programs */
  binDir: string;
}>;
export function ensureProgram(name: 'etcd' | 'patroni' | 'pgbouncer'): Promise<string>;
