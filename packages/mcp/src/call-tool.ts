import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { explain } from './explain.ts';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { visible } from './visible-json.ts';

/** Runs a tool; a failure is an answer too. */
export async function callTool(
  tool: Tool,
  schema: z.ZodObject,
  given: Record<string, unknown>,
  session: Session,
): Promise<CallToolResult> {
  try {
    await session.renew();
    const { api_key: apiKey, ...input } = checked(schema, given);
    const speaker = tool.forAccount === true ? session.speakingFor(apiKey as string | undefined) : session;
    const value = await tool.run(input, speaker);
    const { text, values } = await visible(value);
    return { ...told(text, session), structuredContent: values };
  } catch (error) {
    const { text } = await visible(explain(error, session.settings.keeper?.clockWords));
    return { ...told(text, session), isError: true };
  }
}

/** @throws {TypeError} that says what is wrong, and repeats nothing of what was given */
function checked(schema: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  throw new TypeError(faults.join('; '));
}

function told(text: string, session: Session): CallToolResult {
  // No tool is to answer one; if a defect does, the model does not get to see it all the same.
  if (session.secrets.some((secret) => text.includes(secret)))
    throw new Error('an answer would have held a secret of this connection');
  return { content: [{ type: 'text', text }] };
}
