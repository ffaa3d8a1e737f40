const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there, or a firewall rejects the connection',
  ECONNRESET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be resolved now: is DNS reachable?',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  ENOENT: 'the socket file does not exist',
  EACCES: 'the socket file is not readable for this user',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its TLS certificate is signed by an authority that is not trusted',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate names a different host',
};

export const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|SELF_SIGNED_|UNABLE_TO_|DEPTH_ZERO_)/;

export function networkCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, errors } = at as Error & { code?: unknown; errors?: unknown };
    if (typeof code === 'string') return code;
    if (Array.isArray(errors)) return networkCode(errors[0]);
    if (at.name === 'TimeoutError') return 'ETIMEDOUT';
  }
  return undefined;
}

export function networkCause(error: unknown): string | undefined {
  const code = networkCode(error);
  if (code === undefined) return undefined;
  const words = WORDS[code] ?? (TLS_CODE.test(code) ? 'the TLS handshake failed' : undefined);
  return words && `${words} (${code})`;
}
