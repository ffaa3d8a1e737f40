import type { Theme } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField } from '../../errors/failure.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from './cookies.ts';
import { type Form, formOf } from './form.ts';
import { seeOther } from './see-other.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** what was chosen by this request itself */
    theme?: Theme | 'device' | null;
  }
}

const YEAR = 365 * 86_400;
const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark';

/** What the reader chose, if they did: pages are drawn in it, so that none flashes and none needs a script. */
export function themeOf(baseUrl: string, request: FastifyRequest): Theme | undefined {
  if (request.theme) return isTheme(request.theme) ? request.theme : undefined;
  if (request.headers.cookie === undefined) return undefined;
  const chosen = readCookie(request, cookieNames(baseUrl).theme);
  return isTheme(chosen) ? chosen : undefined;
}

/**
 * Chosen within a form that may hold what is nowhere else: what was typed comes back, in the theme, and nothing else is done
 * with it. `theme_again` shows the form as it was answered before, `theme_edit` without another word.
 */
export function themeBeside(baseUrl: string) {
  const { theme: name } = cookieNames(baseUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { theme_again: again, theme_edit: edit } = formOf(request);
    const theme = again ?? edit;
    if (!isTheme(theme) && theme !== 'device') return;
    if (theme === 'device') dropCookie(reply, name);
    else setCookie(reply, name, theme, YEAR);
    request.theme = theme;
    request.body = { ...(request.body as Form), step: again === undefined ? 'edit' : 'preview' };
  };
}

/** `POST /theme`: light, dark, or as the device has it; then back to the page that it was chosen on. */
export function mountTheme(pages: FastifyInstance, baseUrl: string): void {
  const { theme: name } = cookieNames(baseUrl);
  pages.post('/theme', async (request, reply) => {
    const { theme } = formOf(request);
    if (isTheme(theme)) setCookie(reply, name, theme, YEAR);
    else if (theme === 'device') dropCookie(reply, name);
    else throw badField('theme', 'must be light, dark or device');
    return seeOther(reply, pageBefore(request, baseUrl));
  });
}

/** Ours, or the beginning. A form that came from elsewhere was refused before. */
function pageBefore({ headers: { referer = '' } }: FastifyRequest, baseUrl: string): string {
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.origin === new URL(baseUrl).origin && !from.pathname.startsWith('//')
    ? from.pathname + from.search
    : '/';
}
