import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { WARNING } from './untrusted.ts';
import type { Session } from './session.ts';

type FieldType = 'string' | 'boolean' | 'integer' | 'object' | 'array';

/**
 * Only the top fields: a client loads the list of tools into the model's context. A name that ends in `?` is
 * optional. A newer service may return further fields.
 */
type Output = Readonly<Record<string, FieldType | readonly [FieldType, 'null']>>;

type AnswerOf<Fields extends Output> = {
  [Name in keyof Fields as Name extends `${string}?` ? never : Name]: unknown;
} & { [Name in keyof Fields as Name extends `${infer Bare}?` ? Bare : never]?: unknown };

type Run<Input, Answer> = (input: Input, session: Session, signal?: AbortSignal) => Promise<Answer>;

interface Definition<Shape extends z.ZodRawShape, Fields extends Output> {
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
  run: Run<z.infer<z.ZodObject<Shape>>, AnswerOf<Fields>>;
}

/** Without the types of input and answer, so that one list can contain all tools. */
export interface Tool extends Pick<
  Definition<z.ZodRawShape, Output>,
  'name' | 'title' | 'description' | 'input'
> {
  forAccount: boolean;
  outputSchema: object;
  annotations: ToolAnnotations;
  run: Run<Record<string, unknown>, Record<string, unknown>>;
}

export const readingTool = <Shape extends z.ZodRawShape, const Fields extends Output>(
  definition: Definition<Shape, Fields>,
): Tool => made(definition, { readOnlyHint: true, openWorldHint: definition.closed !== true });

/** The changes are public and permanent. */
export const writingTool = <Shape extends z.ZodRawShape, const Fields extends Output>(
  definition: Definition<Shape, Fields>,
): Tool =>
  made(definition, {
    readOnlyHint: false,
    destructiveHint: definition.destructive === true,
    idempotentHint: definition.idempotent === true,
    openWorldHint: true,
  });

function made<Shape extends z.ZodRawShape, Fields extends Output>(
  { output, withoutTexts, forAccount = false, run, ...shown }: Definition<Shape, Fields>,
  annotations: ToolAnnotations,
): Tool {
  const isWarned = withoutTexts !== true;
  return {
    ...shown,
    forAccount,
    annotations,
    outputSchema: schemaOf(isWarned ? { warning: 'string', ...output } : output),
    async run(given, session, signal) {
      const answer = await run(given as z.infer<z.ZodObject<Shape>>, session, signal);
      return isWarned ? { warning: WARNING, ...answer } : answer;
    },
  };
}

function schemaOf(output: Output): object {
  const fields = Object.entries(output).map(([name, given]): [string, object] => {
    // Not a list of types: strict clients warn about it.
    const type = typeof given === 'string' ? { type: given } : { anyOf: given.map((one) => ({ type: one })) };
    return [name.replace(/\?$/, ''), type];
  });
  const required = Object.keys(output).filter((name) => !name.endsWith('?'));
  return { type: 'object', properties: Object.fromEntries(fields), required };
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
