import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, killFamily } from '../../scripts/prerequisites/process-tree.mjs';
import { serverUser, temporaryFolder } from '../../scripts/server-user.mjs';
import { newFolder } from '../machine/folder.ts';
import { etcdArguments, patroniSettings, pgbouncerSettings, type Ports } from './settings.ts';

export interface Programs {
  etcd: string;
  patroni: string;
  pgbouncer: string;
  binDir: string;
}

export class Machine {
  readonly name: string;
  readonly ports: Ports;
  readonly #folder: string;
  readonly #programs: Programs;
  readonly #all: ReadonlyMap<string, Ports>;
  #running: ChildProcess[] = [];

  constructor(name: string, all: ReadonlyMap<string, Ports>, programs: Programs) {
    this.name = name;
    this.ports = all.get(name)!;
    this.#all = all;
    this.#programs = programs;
    const user = serverUser();
    this.#folder = newFolder(`patroni-${name}`, temporaryFolder(user));
    const data = join(this.#folder, 'etcd');
    mkdirSync(data, { mode: 0o700 });
    const files = {
      'patroni.yml': patroniSettings(name, this.#folder, all, programs.binDir),
      'pgbouncer.ini': pgbouncerSettings(this.#folder, this.ports),
      users: '"postgres" ""\n',
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#folder, file), text);
    if (user)
      for (const path of [this.#folder, data, ...Object.keys(files).map((file) => join(this.#folder, file))])
        chownSync(path, user.uid, user.gid);
    // PostgreSQL is no child of this process and outlives Patroni.
    process.once('exit', () => {
      for (const child of this.#running) child.kill('SIGKILL');
      const postgres = this.#postmaster();
      if (postgres !== undefined && isRunning(postgres)) process.kill(postgres, 'SIGKILL');
    });
  }

  start(): void {
    const inFolder = (file: string): string => join(this.#folder, file);
    const { etcd, patroni, pgbouncer } = this.#programs;
    this.#running = [
      this.#spawn('etcd', etcd, etcdArguments(this.name, inFolder('etcd'), this.#all)),
      this.#spawn('patroni', patroni, [inFolder('patroni.yml')]),
      this.#spawn('pgbouncer', pgbouncer, [inFolder('pgbouncer.ini')]),
    ];
  }

  async leads(): Promise<boolean> {
    return (await this.#asked('/primary')) === 200;
  }

  async isWaitedFor(): Promise<boolean> {
    return (await this.#asked('/synchronous')) === 200;
  }

  /** True if this standby has everything that the leader has. */
  async follows(): Promise<boolean> {
    return (await this.#asked('/replica?lag=0')) === 200;
  }

  async killPostgres(): Promise<void> {
    await killFamily(this.#postmaster()!);
  }

  async kill(): Promise<void> {
    const postgres = this.#postmaster();
    // Stop all first, because one process restarts others.
    for (const child of this.#running) child.kill('SIGSTOP');
    if (postgres !== undefined) await killFamily(postgres);
    await Promise.all(this.#running.splice(0).map(({ pid }) => killFamily(pid!)));
  }

  stop = (): Promise<void> => this.kill();

  said(): string {
    return ['etcd', 'patroni', 'pgbouncer']
      .map(
        (name) =>
          `${this.name} ${name}: ${readFileSync(join(this.#folder, `${name}.log`), 'utf8').slice(-1_500)}`,
      )
      .join('\n');
  }

  #postmaster(): number | undefined {
    try {
      return Number(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  }

  async #asked(path: string): Promise<number | undefined> {
    const signal = AbortSignal.timeout(2_000);
    return fetch(`http://127.0.0.1:${this.ports.rest}${path}`, { method: 'HEAD', signal }).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  #spawn(name: string, program: string, args: readonly string[]): ChildProcess {
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    const user = serverUser();
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], HOME: this.#folder, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    child.on('error', () => undefined);
    return child;
  }
}
