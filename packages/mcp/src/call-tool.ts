import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { explain } from './explain.ts';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { visible, visibleJson } from './visible-json.ts';

/** Runs a tool; a failure is an answer too. */
export async function callTool(
  tool: Tool,
  { api_key: apiKey, ...input }: Record<string, unknown>,
  session: Session,
): Promise<CallToolResult> {
  try {
    const speaker = tool.forAccount === true ? session.speakingFor(apiKey as string | undefined) : session;
    const value = await tool.run(input, speaker);
    return { ...told(value, session), structuredContent: visible(value) };
  } catch (error) {
    return { ...told(explain(error), session), isError: true };
  }
}

function told(value: Record<string, unknown>, session: Session): CallToolResult {
  const text = visibleJson(value);
  // No tool is to answer one; if a defect does, the model does not get to see it all the same.
  if (session.secrets.some((secret) => text.includes(secret)))
    throw new Error('an answer would have held a secret of this connection');
  return { content: [{ type: 'text', text }] };
}
