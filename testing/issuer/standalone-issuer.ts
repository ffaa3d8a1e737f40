import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

export interface Minting {
  by?: 'RS256' | 'PS256' | 'ES256' | 'EdDSA';
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  signature?: 'none' | 'hmac of the public key';
  /** signs with an unpublished key under a published id */
  stranger?: boolean;
}

interface ToldAnswer {
  status?: number;
  body?: unknown;
  text?: string;
  hang?: boolean;
  redirect?: string;
}

interface SeenRequest {
  method: string;
  authorization?: string;
  apikey?: string;
  body: string;
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

export interface StandaloneIssuer {
  readonly url: string;
  mint(audience: string, told?: Minting): Promise<string>;
  rotate(told?: { alg?: string; keep?: boolean }): Promise<void>;
  userinfo(sub: string, claims: Record<string, unknown>): Promise<void>;
  /** undefined restores the normal answer. */
  answer(path: string, told?: ToldAnswer): Promise<void>;
  signIn(told: SignInThere): Promise<void>;
  requests(path: string): Promise<SeenRequest[]>;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('standalone-issuer.mjs', import.meta.url));

export async function startIssuer(): Promise<StandaloneIssuer> {
  let { child, url } = await spawnIssuer(0);
  const control = async (operation: string, told: object = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}/control`, {
      headers: { connection: 'close' },
      method: 'POST',
      body: JSON.stringify({ operation, ...told }),
    });
    return (await response.json()) as Record<string, unknown>;
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
    async mint(audience, told = {}) {
      const { token } = await control('mint', { ...told, claims: { aud: audience, ...told.claims } });
      return token as string;
    },
    rotate: async (told) => void (await control('rotate', told)),
    userinfo: async (sub, claims) => void (await control('userinfo', { sub, claims })),
    answer: async (path, told) => void (await control('answer', { path, ...told })),
    signIn: async (told) => void (await control('signIn', told)),
    async requests(path) {
      const { requests } = (await control('requests')) as { requests: Record<string, SeenRequest[]> };
      return requests[path] ?? [];
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
