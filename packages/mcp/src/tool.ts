import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Fields, object, type Schema } from './schema.ts';
import { WARNING } from './untrusted.ts';
import type { Session } from './session.ts';

type Run<Input> = (input: Input, session: Session, signal?: AbortSignal) => Promise<Record<string, unknown>>;

interface Definition<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Shape;
  output: Fields;
  /** no account chose a text of the answer, so it has no warning */
  withoutTexts?: true;
  /** over HTTP a call may contain the account's key */
  forAccount?: boolean;
  /** asks no other program */
  closed?: true;
  destructive?: true;
  idempotent?: true;
  /** `signal` is aborted when the client cancels the call */
  run: Run<z.infer<z.ZodObject<Shape>>>;
}

/** Without the input type, so that one list can contain all tools. */
export interface Tool extends Pick<Definition<z.ZodRawShape>, 'name' | 'title' | 'description' | 'input'> {
  forAccount: boolean;
  output: Schema;
  annotations: ToolAnnotations;
  run: Run<Record<string, unknown>>;
}

export const readingTool = <Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool =>
  made(definition, { readOnlyHint: true, openWorldHint: definition.closed !== true });

/** The changes are public and permanent. */
export const writingTool = <Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool =>
  made(definition, {
    readOnlyHint: false,
    destructiveHint: definition.destructive === true,
    idempotentHint: definition.idempotent === true,
    openWorldHint: true,
  });

function made<Shape extends z.ZodRawShape>(
  { name, title, description, input, output, withoutTexts, forAccount = false, run }: Definition<Shape>,
  annotations: ToolAnnotations,
): Tool {
  const isWarned = withoutTexts !== true;
  return {
    ...{ name, title, description, input, forAccount, annotations },
    output: object(isWarned ? { warning: { type: 'string', const: WARNING }, ...output } : output),
    async run(given, session, signal) {
      const answer = await run(given as z.infer<z.ZodObject<Shape>>, session, signal);
      return isWarned ? { warning: WARNING, ...answer } : answer;
    },
  };
}

const apiKey = z
  .string()
  .regex(/^[!-~]{1,8192}$/)
  .optional()
  .describe('The API key that register returned, if the connection does not send one. Keep it secret.');

const inputs = { true: new Map<Tool, z.ZodObject>(), false: new Map<Tool, z.ZodObject>() };

/** Over HTTP, a tool for an account accepts the account's key. */
export function inputOf(tool: Tool, perRequest: boolean): z.ZodObject {
  const { input, forAccount } = tool;
  const kept = inputs[`${perRequest}`];
  const schema = kept.get(tool) ?? z.object(forAccount && perRequest ? { ...input, api_key: apiKey } : input);
  kept.set(tool, schema);
  return schema;
}
