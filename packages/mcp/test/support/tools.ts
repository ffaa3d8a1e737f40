import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'vitest';

type Answer = any;

export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
export const text = { content: 'A heron at the weir.', description: 'A bird', topic: 'science' };

/** The tools as a test calls them. */
export function toolsOf(client: Client) {
  const raw = async (name: string, input: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: input })) as { isError?: boolean; content: { text: string }[] };
  return {
    client,
    raw,
    /** what the tool answers; it must not be an error */
    call: async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
      const answer = await raw(name, input);
      expect(answer.isError, answer.content[0]!.text).not.toBe(true);
      return JSON.parse(answer.content[0]!.text);
    },
    /** the error it answers; it must be one */
    refusal: async (name: string, input: Record<string, unknown> = {}): Promise<Answer> => {
      const answer = await raw(name, input);
      expect(answer.isError).toBe(true);
      return JSON.parse(answer.content[0]!.text).error;
    },
  };
}
