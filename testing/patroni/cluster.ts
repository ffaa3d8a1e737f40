import pg from 'pg';
import { ensureProgram } from '../../scripts/prerequisites/programs.mjs';
import { lastingPort } from '../machine/free-port.ts';
import { eventually } from '../wait.ts';
import { Machine } from './machine.ts';
import type { Ports } from './settings.ts';

const NAMES = ['one', 'two', 'three'];

export class Cluster {
  readonly machines: readonly Machine[];

  constructor(machines: readonly Machine[]) {
    this.machines = machines;
  }

  get databaseUrl(): string {
    const hosts = this.machines.map(({ ports }) => `127.0.0.1:${ports.pgbouncer}`);
    return `postgres://postgres@${hosts.join(',')}/svc`;
  }

  async leader(before?: Machine): Promise<Machine> {
    let found: Machine | undefined;
    await eventually('one leads', async () => {
      const leading = await Promise.all(
        this.machines.map(async (machine) => (await machine.leads()) && machine),
      );
      found = leading.find((machine): machine is Machine => machine && machine !== before);
      return found !== undefined;
    });
    return found!;
  }

  async inSync(): Promise<void> {
    await eventually('a standby is waited for', async () =>
      (await Promise.all(this.machines.map((machine) => machine.isWaitedFor()))).includes(true),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.stop()));
  }
}

export async function startCluster(): Promise<Cluster> {
  const programs = {
    etcd: await ensureProgram('etcd'),
    patroni: await ensureProgram('patroni'),
    pgbouncer: await ensureProgram('pgbouncer'),
    binDir: await ensureProgram('pg_rewind'),
  };
  const ports = new Map<string, Ports>();
  for (const name of NAMES)
    ports.set(name, {
      peers: await lastingPort(),
      etcd: await lastingPort(),
      rest: await lastingPort(),
      postgres: await lastingPort(),
      pgbouncer: await lastingPort(),
    });
  const cluster = new Cluster(NAMES.map((name) => new Machine(name, ports, programs)));
  try {
    for (const machine of cluster.machines) machine.start();
    const leader = await cluster.leader();
    await cluster.inSync();
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${leader.ports.postgres}/postgres`);
    await client.connect();
    await client.query("create database svc template template0 encoding 'UTF8' locale 'C'");
    await client.end();
    return cluster;
  } catch (error) {
    const said = cluster.machines.map((machine) => machine.said()).join('\n');
    await cluster.stop();
    throw new Error(`the cluster did not start:\n${said}`, { cause: error });
  }
}
