import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { ApiError, ConnectionError, ReceiptError, RetractedError } from '@svc/sdk';
import { z } from 'zod';
import type { Session } from './session.ts';
import { visibleJson } from './visible-json.ts';

export interface Tool<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Shape;
  annotations: ToolAnnotations;
  /** does it speak for an account? Over HTTP a call may then bring the account's key itself */
  forAccount?: true;
  run(input: z.infer<z.ZodObject<Shape>>, session: Session): Promise<Record<string, unknown>>;
}

/** Keeps a tool's input type, so that the tools can stand in one list. */
export function tool<Shape extends z.ZodRawShape>(definition: Tool<Shape>): Mount {
  return (server, session) => {
    const { name, title, description, input, annotations, forAccount } = definition;
    const bringsKey = forAccount === true && session.settings.perRequest === true;
    const inputSchema = bringsKey ? { ...input, api_key: apiKey } : input;
    const config = { title, description, inputSchema, annotations: { title, ...annotations } };
    const call = async (given: { api_key?: string }): Promise<CallToolResult> => {
      try {
        const speaker = bringsKey ? session.speakingFor(given.api_key) : session;
        return result(await definition.run(given as z.infer<z.ZodObject<Shape>>, speaker), false);
      } catch (error) {
        return result(explain(error), true);
      }
    };
    server.registerTool(name, config, call as never);
  };
}

const apiKey = z
  .string()
  .regex(/^[!-~]{1,8192}$/)
  .optional()
  .describe('The API key that register answered, when the connection itself brings none. Show it to nobody.');

export type Mount = (server: McpServer, session: Session) => void;

const result = (value: Record<string, unknown>, isError: boolean): CallToolResult => ({
  content: [{ type: 'text', text: visibleJson(value) }],
  ...(isError ? { isError } : {}),
});

/** What an agent can do about a failure. A defect's own words stay here: they may name what is not its business. */
function explain(error: unknown): Record<string, unknown> {
  if (error instanceof ApiError) {
    const { code, status, message, details, retryAfter, idempotencyKey } = error;
    const again = status >= 500 && idempotencyKey !== null ? { idempotency_key: idempotencyKey } : {};
    const hint = HINTS[code] ?? ('idempotency_key' in again ? REPEAT : undefined);
    return { error: { code, status, message, details, retry_after_seconds: retryAfter, hint, ...again } };
  }
  if (error instanceof ConnectionError) {
    const { message, mayHaveHappened, idempotencyKey: key } = error;
    if (!mayHaveHappened) return { error: { code: 'no_answer', message, hint: 'Nothing was carried out.' } };
    return key === null
      ? {
          error: {
            code: 'no_answer',
            message,
            hint: 'It may have been carried out: read before you try again.',
          },
        }
      : { error: { code: 'no_answer', message, hint: REPEAT, idempotency_key: key } };
  }
  if (error instanceof RetractedError)
    return {
      error: {
        code: 'retracted',
        message: error.message,
        hint: 'To etch it again, use another idempotency_key.',
      },
    };
  if (error instanceof ReceiptError) return { error: { code: 'bad_receipt', message: error.message } };
  if (error instanceof TypeError) return { error: { code: 'bad_input', message: error.message } };
  return { error: { code: 'defect', message: 'the MCP server failed; this says nothing about the etch' } };
}

const REPEAT =
  'It may have been carried out: repeat the same call with this idempotency_key, and it is not done twice.';

const HINTS: Partial<Record<string, string>> = {
  unauthorized: 'There is no valid API key. Call register, or ask the operator for one.',
  rate_limited: 'Wait so many seconds before the next call.',
  conflict: 'Once is enough: read what there is instead of trying again.',
};
