import { type OperationId, ROUTES, type RouteDefinition, type ValidatorIssue } from '@svc/contract';
import type { BodyOf, QueryOf } from '@svc/contract/types';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badField } from '../../platform/failure.ts';
import { invalid } from '../invalid.ts';

export type Form = Readonly<Record<string, string | undefined>>;

const TYPE = 'application/x-www-form-urlencoded';
/** A text that is too long must come back with its number of characters: 2,000 emoji take 24 kB percent-encoded. */
const BODY_LIMIT = 256 * 1024;

export function takeForms(pages: FastifyInstance): void {
  pages.removeAllContentTypeParsers();
  pages.addContentTypeParser(TYPE, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    try {
      done(null, parseForm(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
}

export const formOf = ({ body }: FastifyRequest): Form => (body as Form | undefined) ?? {};

/** Browsers send CRLF, but the counter and the preview counted a line feed. */
function parseForm(text: string): Form {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const name = decode(pair.slice(0, at));
    fields[name] ??= decode(pair.slice(at + 1)).replace(/\r\n?/g, '\n');
  }
  return fields;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badField('body', 'is not valid UTF-8');
  }
}

export function checked<Id extends OperationId>(request: FastifyRequest, id: Id, data: unknown): InputOf<Id> {
  const { body, query } = ROUTES[id] as RouteDefinition;
  const validate = request.compileValidationSchema((body ?? query)!);
  if (validate(data)) return data as InputOf<Id>;
  throw invalid((validate.errors ?? []) as ValidatorIssue[]);
}

type InputOf<Id extends OperationId> = BodyOf<Id> extends undefined ? QueryOf<Id> : BodyOf<Id>;

export function filled(form: Form, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = form[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value] as const];
    }),
  );
}
