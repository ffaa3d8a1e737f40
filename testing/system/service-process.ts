import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../machine/folder.ts';
import { notePrinted } from './secrets.ts';
import { eventually } from '../wait.ts';

/** Needs a build. */
const PROGRAM = fileURLToPath(new URL('run-service.mjs', import.meta.url));

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

interface LogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  readonly exited: Promise<Exit>;
  isRunning(): boolean;
  output(): string;
  log(): LogLine[];
  signal(name: NodeJS.Signals): void;
  kill9(): Promise<void>;
  stop(): Promise<Exit>;
}

export interface StartOptions {
  node?: string;
  preload?: string;
  until?: 'ready' | 'listening' | 'spawned';
  beforeStop?: () => void;
}

/** Does not pass our environment on. */
export async function startService(
  settings: Readonly<Record<string, string>>,
  { node = process.execPath, preload, until = 'ready', beforeStop }: StartOptions = {},
): Promise<ServiceProcess> {
  const early =
    preload === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const child = spawn(node, [...early, PROGRAM], {
    cwd: newFolder('cwd'), // An empty folder, so that no .env is read.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'debug', ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  let output = '';
  const note = (chunk: Buffer): void => {
    output += chunk.toString();
    notePrinted(chunk.toString());
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  let url = '';
  const service: ServiceProcess = {
    pid: child.pid!,
    get url() {
      return url;
    },
    exited,
    isRunning,
    output: () => output,
    log: () => output.split('\n').filter(isLogLine).map(toLogLine),
    signal: (name) => void child.kill(name),
    async kill9() {
      child.kill('SIGKILL');
      await exited;
    },
    stop() {
      beforeStop?.();
      child.kill('SIGTERM');
      return exited;
    },
  };
  if (until === 'spawned') return service;
  try {
    url = await whenListening(service);
    if (until === 'ready') await whenReady(service);
  } catch (error) {
    await service.kill9();
    throw error;
  }
  return service;
}

function whenListening(service: ServiceProcess): Promise<string> {
  return eventually(
    'the service listens',
    () => {
      const output = service.output();
      if (!service.isRunning()) throw new Error(`the service ended at its start:\n${output}`);
      return (
        output.includes('"msg":"serving ') && /"msg":"Server listening at (http:[^"]+)"/.exec(output)?.[1]
      );
    },
    { seconds: 180 },
  );
}

export async function whenReady(service: ServiceProcess): Promise<void> {
  let last = '';
  await eventually(
    'the service is ready',
    async () => {
      if (!service.isRunning()) throw new Error(`the service ended:\n${service.output()}`);
      const answer = await fetch(`${service.url}/readyz`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      last = (await answer?.text().catch(() => '')) ?? '';
      return answer?.status === 200;
    },
    { seconds: 120 },
  ).catch((error: Error) => {
    throw new Error(`${error.message}\n${last}\n${service.output()}`);
  });
}

function isLogLine(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}');
}

function toLogLine(line: string): LogLine {
  return JSON.parse(line) as LogLine;
}

/** The messages of a start that fails at once. */
export async function refusal(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const service = await startService(
    { PORT: '0', DATA_DIR: newFolder('data'), ...settings },
    { until: 'spawned' },
  );
  const { code } = await service.exited;
  if (code !== 1) throw new Error(`the service ended with ${code}:\n${service.output()}`);
  const plain = service
    .output()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  const errors = service.log().filter(({ level }) => level >= 60);
  return [...plain, ...errors.map(({ msg }) => msg)];
}
