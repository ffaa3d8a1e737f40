import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Json } from '../json.ts';

export interface Minting {
  by?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  signature?: 'none' | 'hmac of the public key';
  /** signs with an unpublished key under a published id */
  stranger?: boolean;
}

interface PreparedAnswer {
  status?: number;
  body?: unknown;
  text?: string;
  hang?: boolean;
  redirect?: string;
}

interface SignInThere {
  sub?: string;
  audience?: string;
  expiresIn?: number;
  /** each refresh token is valid once */
  refresh?: boolean;
  secret?: string;
  endSession?: boolean;
  redirectUris?: string[];
  claims?: Record<string, unknown>;
}

export type StandaloneIssuer = Awaited<ReturnType<typeof startIssuer>>;

const SCRIPT = fileURLToPath(new URL('standalone-issuer.mjs', import.meta.url));

export async function startIssuer() {
  let { child, url } = await spawnIssuer(0);
  const control = async (operation: string, input: object = {}): Promise<Json> => {
    const body = JSON.stringify({ operation, ...input });
    const sent = { headers: { connection: 'close' }, method: 'POST', body };
    return (await fetch(`${url}/control`, sent)).json();
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    get url() {
      return url;
    },
    async mint(audience: string, minting: Minting = {}): Promise<string> {
      return (await control('mint', { ...minting, claims: { aud: audience, ...minting.claims } })).token;
    },
    rotate: (options?: { alg?: string; keep?: boolean }) => control('rotate', options),
    userinfo: (sub: string, claims: Record<string, unknown>) => control('userinfo', { sub, claims }),
    /** Without `answer`, restores the normal answer. */
    answer: (path: string, answer?: PreparedAnswer) => control('answer', { path, ...answer }),
    signIn: (flow: SignInThere) => control('signIn', flow),
    async requests(path: string): Promise<{ method: string; authorization?: string; body: string }[]> {
      return (await control('requests')).requests[path] ?? [];
    },
    stop,
    async restart() {
      await stop();
      ({ child, url } = await spawnIssuer(Number(new URL(url).port)));
    },
  };
}

async function spawnIssuer(port: number) {
  const child = spawn(process.execPath, [SCRIPT, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
}

export function useIssuer(): StandaloneIssuer & { ready: Promise<StandaloneIssuer> } {
  let started: StandaloneIssuer | undefined;
  let settle: (issuer: StandaloneIssuer) => void;
  const ready = new Promise<StandaloneIssuer>((resolve) => (settle = resolve));
  beforeAll(async () => settle((started = await startIssuer())));
  afterAll(() => started?.stop());
  return new Proxy({} as StandaloneIssuer & { ready: Promise<StandaloneIssuer> }, {
    get: (_, name) => {
      if (name === 'ready') return ready;
      if (!started) throw new Error('the issuer starts in beforeAll: use it in tests and hooks only');
      return Reflect.get(started, name) as unknown;
    },
  });
}
