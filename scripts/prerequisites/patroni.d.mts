export function ensurePatroni(): Promise<{
  etcd: string;
  patroni: string;
  pgbouncer: string;
  binDir: string;
}>;
export function ensureProgram(name: 'etcd' | 'patroni' | 'pgbouncer'): Promise<string>;
