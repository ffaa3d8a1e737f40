export function ensurePatroni(): Promise<{
  etcd: string;
  patroni: string;
  pgbouncer: string;
  /** of PostgreSQL */
  binDir: string;
}>;
