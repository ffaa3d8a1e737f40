import { createHash } from 'node:crypto';
import { signInByForm } from './reader.ts';

export const REDIRECT = 'http://127.0.0.1:9/callback';
const VERIFIER = 'v'.repeat(43);

export interface TokenAnswer {
  status: number;
  body: {
    access_token: string;
    refresh_token: string;
    expires_in: number;
    scope?: string;
    error?: string;
    error_description?: string;
  };
}

/** A program of a different vendor that signs a person in at the embedded issuer, step by step. */
export function programAt(baseUrl: () => string) {
  const resource = () => `${baseUrl()}/mcp`;

  const program = {
    authorizeUrl(clientId: string, changes: Record<string, string | undefined> = {}): string {
      const params = {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: 'openid profile social',
        code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
        code_challenge_method: 'S256',
        resource: resource(),
        ...changes,
      };
      return `/identity/auth?${new URLSearchParams(JSON.parse(JSON.stringify(params)))}`;
    },
    async getCode(clientId: string, username: string, changes: Record<string, string> = {}): Promise<string> {
      const url = program.authorizeUrl(clientId, changes);
      return new URL(await signInByForm(baseUrl(), url, username), baseUrl()).searchParams.get('code')!;
    },
    async requestToken(fields: Record<string, string>): Promise<TokenAnswer> {
      const body = new URLSearchParams({ resource: resource(), ...fields });
      const response = await fetch(`${baseUrl()}/identity/token`, { method: 'POST', body });
      return { status: response.status, body: (await response.json()) as TokenAnswer['body'] };
    },
    exchange: (clientId: string, code: string, changes: Record<string, string> = {}) =>
      program.requestToken({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...changes,
      }),
    refresh: (clientId: string, token: string) =>
      program.requestToken({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token }),
  };
  return program;
}
