import type { Theme } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField } from '../../platform/failure.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from './cookies.ts';
import { type Form, formOf } from './form.ts';
import { seeOther } from './see-other.ts';

declare module 'fastify' {
  interface FastifyRequest {
    theme?: Theme | 'device' | null;
  }
}

const YEAR = 365 * 86_400;
const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark';

/** The server renders the chosen theme, so that pages do not flash. */
export function themeOf(baseUrl: string, request: FastifyRequest): Theme | undefined {
  if (request.theme) return isTheme(request.theme) ? request.theme : undefined;
  if (request.headers.cookie === undefined) return undefined;
  const chosen = readCookie(request, cookieNames(baseUrl).theme);
  return isTheme(chosen) ? chosen : undefined;
}

/** `theme_again` repeats the previous answer, `theme_edit` shows the form without its message. */
export function changeThemeInForm(baseUrl: string) {
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

function pageBefore({ headers: { referer = '' } }: FastifyRequest, baseUrl: string): string {
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.origin === new URL(baseUrl).origin && !from.pathname.startsWith('//')
    ? from.pathname + from.search
    : '/';
}
