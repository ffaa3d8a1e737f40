// Keeps a written etch while its visitor signs in. The browser carries it, encrypted under SECRET_KEYS, in cookies that
// only /write gets, for half an hour. The service stores nothing, and no address contains a word of it.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { TERM_NAMES } from '@svc/web/parts/etch-terms';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDependencies } from '../../dependencies.ts';
import type { FormFields } from '../form.ts';
import { COOKIE_SECONDS, cookieNames, dropCookie, readCookie, setCookie } from '../site.ts';

export const KEPT_PATH = '/write?draft=kept';
const PATH = '/write';
/** Browsers store 4,096 bytes a cookie, and proxies accept a header of 8 kB. */
const COOKIE_LENGTH = 3_500;
const MOST_BYTES = 64 * 1024;

const FIELDS = [
  'draft',
  'kind',
  'files',
  'content',
  'description',
  ...TERM_NAMES,
  'mode',
  'reveal_at',
  'challenge_id',
  'manifest_saved',
  'blind',
] as const;

interface Kept {
  fields: FormFields;
  until: number;
}

export function keptDrafts({ keyring, baseUrl, clock }: HttpDependencies) {
  const names = cookieNames(baseUrl).drafts;

  return {
    /** Returns false if the cookies would be too long; then the form itself must keep the text. */
    keep(reply: FastifyReply, form: FormFields): boolean {
      const fields = Object.fromEntries(FIELDS.map((name) => [name, form[name]]));
      const kept: Kept = { fields, until: clock.now() + COOKIE_SECONDS.drafts * 1000 };
      const packed = deflateRawSync(JSON.stringify(kept));
      const value = keyring.close('sign-in', packed, 'draft').toString('base64url');
      if (value.length > COOKIE_LENGTH * names.length) return false;
      for (const [at, name] of names.entries())
        setCookie(
          reply,
          name,
          value.slice(at * COOKIE_LENGTH, (at + 1) * COOKIE_LENGTH),
          COOKIE_SECONDS.drafts,
          PATH,
        );
      return true;
    },

    find(request: FastifyRequest): FormFields | undefined {
      const value = names.map((name) => readCookie(request, name) ?? '').join('');
      try {
        const packed = keyring.open('sign-in', Buffer.from(value, 'base64url'), 'draft');
        const text = inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString('utf8');
        const { fields, until } = JSON.parse(text) as Kept;
        return until > clock.now() ? fields : undefined;
      } catch {
        return undefined;
      }
    },

    drop(reply: FastifyReply): void {
      for (const name of names) dropCookie(reply, name, PATH);
    },
  };
}
