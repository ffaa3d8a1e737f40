import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Schema } from './schema.ts';
import type { Session } from './session.ts';

interface Definition<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  description: string;
  input: Shape;
  output: Schema;
  /** over HTTP a call may contain the account's key */
  forAccount?: true;
  run(
    input: z.infer<z.ZodObject<Shape>>,
    session: Session,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
}

/** Without the input type, so that one list can contain all tools. */
export interface Tool extends Omit<Definition<z.ZodRawShape>, 'run'> {
  annotations: ToolAnnotations;
  /** @param signal aborted when the client cancels the call */
  run(
    input: Record<string, unknown>,
    session: Session,
    signal?: AbortSignal,
  ): Promise<Record<string, unknown>>;
}

export const readingTool = <Shape extends z.ZodRawShape>(
  definition: Definition<Shape>,
  { asksNobody = false }: { asksNobody?: boolean } = {},
): Tool => made(definition, { readOnlyHint: true, openWorldHint: !asksNobody });

/** The changes are public and permanent. */
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
    annotations: hints,
    run: (input, session, signal) => definition.run(input as z.infer<z.ZodObject<Shape>>, session, signal),
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
  const schema =
    kept.get(tool) ?? z.object(forAccount === true && perRequest ? { ...input, api_key: apiKey } : input);
  kept.set(tool, schema);
  return schema;
}
