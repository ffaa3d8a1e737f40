import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';

interface Definition<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Shape;
  output: Schema;
  /** does it speak for an account? Over HTTP a call may then bring the account's key itself */
  forAccount?: true;
  run(input: z.infer<z.ZodObject<Shape>>, session: Session): Promise<Record<string, unknown>>;
}

/** A tool whose input's type is its own business, so that the tools can stand in one list. */
export interface Tool extends Omit<Definition<z.ZodRawShape>, 'run'> {
  annotations: ToolAnnotations;
  run(input: Record<string, unknown>, session: Session): Promise<Record<string, unknown>>;
}

/** Reads: nothing in the world is another afterwards. */
export const readingTool = <Shape extends z.ZodRawShape>(
  definition: Definition<Shape>,
  { asksNobody = false }: { asksNobody?: boolean } = {},
): Tool => made(definition, { readOnlyHint: true, openWorldHint: !asksNobody });

/** Writes: what it does is public and stays. */
export const writingTool = <Shape extends z.ZodRawShape>(
  { destructive = false, idempotent = false }: { destructive?: boolean; idempotent?: boolean },
  definition: Definition<Shape>,
): Tool =>
  made(definition, {
    readOnlyHint: false,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: true,
  });

function made<Shape extends z.ZodRawShape>(definition: Definition<Shape>, hints: ToolAnnotations): Tool {
  return {
    ...definition,
    annotations: { title: definition.title, ...hints },
    run: (input, session) => definition.run(input as z.infer<z.ZodObject<Shape>>, session),
  };
}

const apiKey = z
  .string()
  .regex(/^[!-~]{1,8192}$/)
  .optional()
  .describe('The API key that register answered, when the connection itself brings none. Show it to nobody.');

const inputs = { true: new Map<Tool, z.ZodObject>(), false: new Map<Tool, z.ZodObject>() };

/** What a tool takes; over HTTP one that speaks for an account takes the account's key too. Made once. */
export function inputOf(tool: Tool, perRequest: boolean): z.ZodObject {
  const { input, forAccount } = tool;
  const kept = inputs[`${perRequest}`];
  const schema =
    kept.get(tool) ?? z.object(forAccount === true && perRequest ? { ...input, api_key: apiKey } : input);
  kept.set(tool, schema);
  return schema;
}
