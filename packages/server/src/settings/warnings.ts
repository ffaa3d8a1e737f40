import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { isLoopback, isPublicHost } from './listen-address.ts';
import { constantSettings } from './removed.ts';
import { mistypedSettings, mistypedText } from './mistyped.ts';

export function settingWarnings(environment: Environment, config: Config): string[] {
  const { baseUrl, host, production, identity } = config;
  const warnings = [...constantSettings(environment), ...mistypedSettings(environment).map(mistypedText)];
  if (baseUrl?.startsWith('http:') && isPublicHost(new URL(baseUrl).hostname))
    warnings.push(
      'BASE_URL is http on a public host: API keys and sessions are sent unencrypted, and NODE_ENV=production rejects it; use https',
    );
  if (production && !isLoopback(host) && !environment['BASE_URL'])
    warnings.push(
      `BASE_URL is not set: every URL that the service writes starts with ${baseUrl ?? 'http://127.0.0.1'}; set it to the public origin, https://<host>`,
    );
  if (identity.issuer !== undefined && identity.clientId === undefined)
    warnings.push(
      'IDENTITY_CLIENT_ID is not set: the API accepts tokens of IDENTITY_ISSUER, but people cannot sign in on the pages; register a client there (code flow with PKCE) and set it',
    );
  return warnings;
}
