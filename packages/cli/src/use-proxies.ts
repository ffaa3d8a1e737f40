import { usageError } from './exit.ts';

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

let inUse: readonly string[] = [];

export const proxiesInUse = (): readonly string[] => inUse;

/**
 * The fetch of Node.js 20 ignores proxies. Errors name the variable, never its value, which may contain a
 * password.
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const named = VARIABLES.filter((name) => env[name]);
  if (named.length === 0) return;
  for (const name of named) refuseUnusable(name, env[name]!);
  // CommonJS: a bundler has only its default export.
  const { default: undici } = await import('undici');
  const [httpProxy, httpsProxy, noProxy] = [
    env['http_proxy'] || env['HTTP_PROXY'] || '',
    env['https_proxy'] || env['HTTPS_PROXY'] || '',
    env['no_proxy'] || env['NO_PROXY'] || '',
  ];
  // Plain http without CONNECT, as curl does: many proxies allow CONNECT to port 443 only.
  const dispatcher = new undici.EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, proxyTunnel: false });
  inUse = named;
  globalThis.fetch = ((input: string | URL, init?: RequestInit) =>
    undici.fetch(input, { ...(init as object), dispatcher })) as typeof globalThis.fetch;
}

function refuseUnusable(name: string, value: string): void {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw usageError(
    `${name} is not an http or https url (http://proxy.example.org:3128); correct it, or unset it`,
  );
}
