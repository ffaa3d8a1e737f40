import { CommandError, EXIT } from './exit.ts';

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

let inUse: readonly string[] = [];

/** The variables whose proxies this process uses, for the message of a request that failed. */
export const proxiesInUse = (): readonly string[] => inUse;

/**
 * Sends the requests of this process through the proxies that `HTTP_PROXY` and `HTTPS_PROXY` name, except to the hosts of `NO_PROXY`. The
 * fetch of Node.js 20 reads none of them. Nothing is loaded when no proxy is named.
 * @throws {CommandError} naming the variable, never its value, which may hold a password
 */
export async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const named = VARIABLES.filter((name) => env[name]);
  if (named.length === 0) return;
  for (const name of named) refuseUnusable(name, env[name]!);
  // It is CommonJS: a bundler gives its default export alone.
  const { default: undici } = await import('undici');
  const [httpProxy, httpsProxy, noProxy] = [
    env['http_proxy'] || env['HTTP_PROXY'] || '',
    env['https_proxy'] || env['HTTPS_PROXY'] || '',
    env['no_proxy'] || env['NO_PROXY'] || '',
  ];
  // Plain http is asked of the proxy by the whole address, as curl does: many proxies allow CONNECT to port 443 alone.
  const dispatcher = new undici.EnvHttpProxyAgent({ httpProxy, httpsProxy, noProxy, proxyTunnel: false });
  inUse = named;
  globalThis.fetch = ((input: string | URL, init?: RequestInit) =>
    undici.fetch(input, { ...(init as object), dispatcher })) as typeof globalThis.fetch;
}

function refuseUnusable(name: string, value: string): void {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw new CommandError(
    EXIT.usage,
    `${name} is not an http or https url (http://proxy.example.org:3128); correct it, or unset it`,
  );
}
