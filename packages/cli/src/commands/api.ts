import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { findOperation, listOperations } from '@svc/sdk';
import { answer, type Context, serviceCommand } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { inertJson } from '../inert.ts';
import { openSession, type ServiceOptions } from '../session.ts';

interface ApiOptions extends ServiceOptions {
  data?: string;
  idempotencyKey?: string;
}

export function apiCommand(context: Context): Command {
  return serviceCommand('api', 'call an operation of the API; without arguments, list the operations', [
    'svc api',
    'svc api GET /me/limits',
    'svc api GET "/users/ada/etches?limit=3" --field etches.0.hash',
    `svc api POST /follows --data '{"target_type":"category","target_id":"science"}'`,
  ])
    .argument('[method]', 'GET, POST, PATCH or DELETE')
    .argument('[path]', 'the path with its parameters; /api/v1 may be omitted')
    .option('--data <json>', 'the request body; @file reads it from a file, - from standard input')
    .option('--idempotency-key <key>', 'a retry with the same key is carried out once')
    .action(async (method: string | undefined, path: string | undefined, options: ApiOptions) => {
      if (method === undefined) return list(options, context);
      if (path === undefined) throw new CommandError(EXIT.usage, 'give a path, for example svc api GET /me');
      const { client } = openSession(options, context.env);
      const found = findOperation(method, path);
      if (found === undefined)
        throw new CommandError(
          EXIT.usage,
          `there is no operation ${method.toUpperCase()} ${path}; svc api lists all of them`,
        );
      const body = options.data === undefined ? undefined : await readBody(options.data, context);
      const { value } = await client.call(found.id, {
        ...found.input,
        ...(body === undefined ? {} : { body }),
        ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
      });
      context.out(`${inertJson(value)}\n`);
    });
}

function list(options: ApiOptions, context: Context): void {
  const operations = listOperations();
  answer(
    context,
    options,
    { operations },
    operations.map(({ method, path, id }) => `${method.padEnd(6)} ${path}  ${id}`),
  );
}

async function readBody(data: string, { stdin }: Context): Promise<unknown> {
  const json = await source();
  try {
    return JSON.parse(json);
  } catch {
    throw new CommandError(EXIT.usage, '--data is not JSON');
  }

  async function source(): Promise<string> {
    if (data === '-') return text(stdin);
    if (!data.startsWith('@')) return data;
    return readFile(data.slice(1), 'utf8').catch(() => {
      throw new CommandError(EXIT.input, `${data.slice(1)} cannot be read`);
    });
  }
}
