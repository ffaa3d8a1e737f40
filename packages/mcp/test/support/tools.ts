import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { expect } from 'vitest';
import { listTools } from '../../src/server.ts';

type Answer = any;

export const text = { content: 'A heron at the weir.', description: 'A bird', topic: 'science' };

const validator = new AjvJsonSchemaValidator();
const answers = new Map(
  listTools({}).map(({ name, outputSchema }) => [name, () => validator.getValidator(outputSchema as object)]),
);

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
