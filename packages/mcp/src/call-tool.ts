import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { explain } from './explain.ts';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { visible } from './visible-json.ts';

/** Returns failures as answers. */
export async function callTool(
  tool: Tool,
  schema: z.ZodObject,
  given: Record<string, unknown>,
  session: Session,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  try {
    await session.renew();
    const { api_key: apiKey, ...input } = checked(schema, given);
    const actor = tool.forAccount === true ? session.speakingFor(apiKey as string | undefined) : session;
    const value = await tool.run(input, actor, signal);
    const { text, values } = await visible(value);
    return { ...answerOf(text, session), structuredContent: values };
  } catch (error) {
    const { text } = await visible(explain(error, session.settings.keeper?.clockWords));
    return { ...answerOf(text, session), isError: true };
  }
}

/** @throws {TypeError} naming the wrong argument, without its value */
function checked(schema: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  throw new TypeError(faults.join('; '));
}

function answerOf(text: string, session: Session): CallToolResult {
  // A defect must not show a secret to the model.
  if (session.secrets.some((secret) => text.includes(secret)))
    throw new Error('the answer contained a secret of this connection and was withheld');
  return { content: [{ type: 'text', text }] };
}
