import type { ConnectionError } from '@svc/sdk';
import { proxiesInUse } from './use-proxies.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  EPROTO: 'the server does not speak TLS; try http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS; try http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS; try http://',
};

export function whyNoAnswer(error: ConnectionError): string | undefined {
  const [why, proxies] = [reasonOf(error), proxiesInUse()];
  if (proxies.length === 0) return why;
  return [why, `requests go through ${proxies.join(' and ')}`].filter(Boolean).join('; ');
}

function reasonOf({ cause }: ConnectionError): string | undefined {
  const inner = (cause as { cause?: { code?: unknown; name?: unknown; message?: unknown } } | null)?.cause;
  const code = typeof inner?.code === 'string' ? inner.code : '';
  if (REASONS[code] !== undefined) return REASONS[code];
  // Newer Node.js gives no code.
  if (code.startsWith('HPE_') || inner?.name === 'HTTPParserError') return 'the server does not speak HTTP';
  if (/CERT|SELF_SIGNED|VERIFY/.test(code))
    return `its certificate is not trusted (${code}; this machine’s clock says ${new Date().toISOString()})`;
  if (inner?.message === 'bad port') return 'HTTP clients block this port';
  return undefined;
}
