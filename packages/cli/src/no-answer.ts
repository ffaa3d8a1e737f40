import type { ConnectionError } from '@svc/sdk';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'its host name cannot be looked up now',
  EHOSTUNREACH: 'no way leads there',
  ENETUNREACH: 'no way leads there',
  ETIMEDOUT: 'nothing answers there',
  UND_ERR_CONNECT_TIMEOUT: 'nothing answers there',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  EPROTO: 'what listens there speaks no TLS: is it http://?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what listens there speaks no TLS: is it http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what listens there speaks no TLS: is it http://?',
};

/** Why no answer came, in a few words; undefined when nothing is known. */
export function whyNoAnswer({ cause }: ConnectionError): string | undefined {
  const inner = (cause as { cause?: { code?: unknown; name?: unknown; message?: unknown } } | null)?.cause;
  const code = typeof inner?.code === 'string' ? inner.code : '';
  if (REASONS[code] !== undefined) return REASONS[code];
  // Newer versions of Node.js give it no code.
  if (code.startsWith('HPE_') || inner?.name === 'HTTPParserError')
    return 'what listens there speaks no HTTP';
  if (/CERT|SELF_SIGNED|VERIFY/.test(code))
    return `its certificate is not trusted (${code}; this machine’s clock says ${new Date().toISOString()})`;
  if (inner?.message === 'bad port') return 'no program is asked over HTTP at this port';
  return undefined;
}
