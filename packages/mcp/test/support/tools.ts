import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect } from 'vitest';
import { createMcpServer, listTools } from '../../src/server.ts';
import type { Settings } from '../../src/settings.ts';

type Answer = any;

export const text = { content: 'A heron at the weir.', description: 'A bird', topic: 'science' };

const validator = new AjvJsonSchemaValidator();
const answers = new Map(
  listTools({}).map(({ name, outputSchema }) => [name, () => validator.getValidator(outputSchema as object)]),
);

export const callOf = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});

export const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export async function accessToken(service: { readonly url: string }, username: string): Promise<string> {
  return (await (await post(`${service.url}/identity/dev-token`, { username })).json()).access_token;
}

/** Everything that other accounts wrote is left out. */
export const withoutUntrusted = (answer: unknown): string =>
  JSON.stringify(answer, (key, value: unknown) => (key === 'untrusted' ? undefined : value));

/** A server in this process, whose service is the function `fetch`. */
export async function clientOf(settings: Partial<Settings>): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({
    baseUrl: 'http://service.test',
    apiKey: undefined,
    keyPair: undefined,
    trust: undefined,
    rpcUrls: [],
    drand: undefined,
    ...settings,
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return client;
}

export async function toolsOf(client: Client) {
  await client.listTools();
  const raw = async (name: string, input: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: input })) as {
      isError?: boolean;
      content: { text: string }[];
      structuredContent?: unknown;
    };
  return {
    client,
    raw,
    /** must not return an error */
    call: async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
      const answer = await raw(name, input);
      const [{ text: said }] = answer.content as [{ text: string }];
      expect(answer.isError, said).not.toBe(true);
      expect(answers.get(name)?.()(answer.structuredContent)).toMatchObject({ valid: true });
      if (!/\\u[0-9a-f]{4}/.test(said)) expect(answer.structuredContent).toEqual(JSON.parse(said));
      return JSON.parse(said);
    },
    /** must return an error */
    refusal: async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
      const answer = await raw(name, input);
      expect(answer.isError).toBe(true);
      return JSON.parse(answer.content[0]!.text).error;
    },
  };
}
