import { Failure } from '../../platform/failure.ts';
import { isLoopback } from '../../settings/listen-address.ts';

/** The MCP specification demands this check against DNS rebinding. Programs send no `Origin`. */
export function originRule(baseUrl: string, listed: readonly string[]): (origin: string) => boolean {
  const allowed = new Set([new URL(baseUrl).origin, ...listed]);
  return (origin) => allowed.has(origin) || (URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}

export function requireOrigin(origin: string | undefined, isAllowed: (origin: string) => boolean): void {
  if (origin !== undefined && !isAllowed(origin))
    throw new Failure(
      'forbidden',
      'pages of this origin may not call /mcp: the operator can add the origin to MCP_ORIGINS',
    );
}
