import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

interface Kept {
  information: OAuthClientInformationMixed | undefined;
  tokens: OAuthTokens | undefined;
  /** the sign-in page that the person should see */
  page: URL | undefined;
}

/** A program with the official client. It keeps its registration and its tokens between connections. */
export function newSigningProgram(
  serviceUrl: string,
  redirects: readonly [string, ...string[]],
  { id, documentUrl }: { id?: string | undefined; documentUrl?: string } = {},
) {
  const kept: Kept = {
    information: id === undefined ? undefined : { client_id: id },
    tokens: undefined,
    page: undefined,
  };
  let verifier = '';
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirects[0],
    ...(documentUrl !== undefined && { clientMetadataUrl: documentUrl }),
    clientMetadata: {
      client_name: 'Almagest',
      redirect_uris: [...redirects],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => kept.information,
    saveClientInformation: (given) => void (kept.information = given),
    tokens: () => kept.tokens,
    saveTokens: (given) => void (kept.tokens = given),
    redirectToAuthorization: (url) => void (kept.page = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
  };
  return {
    kept,
    connect: async () => {
      const transport = new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`), { authProvider });
      const client = new Client({ name: 'almagest', version: '1.0.0' });
      await client.connect(transport);
      const call = async (name: string, input: Record<string, unknown> = {}): Promise<any> => {
        const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
        if (isError === true) throw new Error(JSON.stringify(content));
        return structuredContent;
      };
      return { client, transport, call };
    },
  };
}
