import { type OperationId, type RouteDefinition, ROUTES, type ValidatorIssue } from '@svc/contract';
import type { BodyOf, QueryOf } from '@svc/contract/types';
import type { FormProblem } from '@svc/web/parts/form';
import type { Page } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import { badField, Failure, RateLimited } from '../../platform/failure.ts';
import { answerFailure, invalid } from '../errors.ts';
import { COOKIE_SECONDS, cookieNames, dropCookie, isTheme, setCookie } from './site.ts';
import { seeOther } from './send.ts';
import { SignedOut } from './session.ts';

export type FormFields = Readonly<Record<string, string | undefined>>;

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

export const formOf = ({ body }: FastifyRequest): FormFields => (body as FormFields | undefined) ?? {};

/** Browsers send CRLF, but the counter and the preview counted a line feed. */
function parseForm(text: string): FormFields {
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

export function filled(form: FormFields, ...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = form[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value] as const];
    }),
  );
}

/** The values of the fields as typed, to show them again. */
export const typedIn = <Name extends string>(form: FormFields, ...names: Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, form[name] ?? ''])) as Record<Name, string>;

export type ById = FastifyRequest<{ Params: { id: string } }>;
type Act = (request: ById, form: FormFields, reply: FastifyReply) => Promise<string>;

/**
 * Mounts forms that redirect to the path that `act` returns. A failure shows the page again, with what `typed` returns.
 * A form without typed values (a button) leads to the page for errors if the session or the database is gone.
 */
export const formsOf =
  <More extends object>(
    pages: FastifyInstance,
    show: (request: ById, more: More & { problem: FormProblem }) => Promise<Page>,
  ) =>
  (path: string, act: Act, typed?: (form: FormFields) => More): unknown =>
    pages.post(path, async (request: ById, reply) => {
      const form = formOf(request);
      try {
        return seeOther(reply, await act(request, form, reply));
      } catch (error) {
        if (!typed && (!(error instanceof Failure) || error instanceof SignedOut)) throw error;
        const problem = formProblem(error, request, reply);
        return show(request, { ...typed?.(form), problem } as More & { problem: FormProblem });
      }
    });

export function formProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FormProblem {
  const failure = answerFailure(error, request, reply);
  void reply.removeHeader('WWW-Authenticate');
  return {
    message: failure.message,
    details: failure.details,
    ...(failure instanceof RateLimited && { retryAfter: failure.retryAfter }),
    ...(error instanceof SignedOut && { signedOut: true }),
  };
}

export async function readForForm<T>(
  problem: FormProblem | undefined,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (problem && (error instanceof SignedOut || error instanceof DatabaseUnavailable)) return undefined;
    throw error;
  }
}

/** Adds the zone that a date field lacks. */
export function utcOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ':00'}Z` : text;
}

/** `theme_again` repeats the previous answer, `theme_edit` shows the form without its message. */
export function changeThemeInForm(baseUrl: string) {
  const { theme: name } = cookieNames(baseUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { theme_again: again, theme_edit: edit } = formOf(request);
    const theme = again ?? edit;
    if (!isTheme(theme) && theme !== 'device') return;
    if (theme === 'device') dropCookie(reply, name);
    else setCookie(reply, name, theme, COOKIE_SECONDS.theme);
    request.theme = theme;
    request.body = { ...(request.body as FormFields), step: again === undefined ? 'edit' : 'preview' };
  };
}

export function mountTheme(pages: FastifyInstance, baseUrl: string): void {
  const { theme: name } = cookieNames(baseUrl);
  pages.post('/theme', async (request, reply) => {
    const { theme } = formOf(request);
    if (isTheme(theme)) setCookie(reply, name, theme, COOKIE_SECONDS.theme);
    else if (theme === 'device') dropCookie(reply, name);
    else throw badField('theme', 'must be light, dark or device');
    return seeOther(reply, pageBefore(request, baseUrl));
  });
}

function pageBefore({ headers: { referer = '' } }: FastifyRequest, baseUrl: string): string {
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.origin === new URL(baseUrl).origin && !from.pathname.startsWith('//')
    ? from.pathname + from.search
    : '/';
}
