import type { Theme } from '@svc/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badField } from '../../errors/failure.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from './cookies.ts';
import { formOf } from './form.ts';
import { seeOther } from './see-other.ts';

const YEAR = 365 * 86_400;
const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark';

/** What the reader chose, if they did: pages are drawn in it, so that none flashes and none needs a script. */
export function themeOf(baseUrl: string, request: FastifyRequest): Theme | undefined {
  if (request.headers.cookie === undefined) return undefined;
  const chosen = readCookie(request, cookieNames(baseUrl).theme);
  return isTheme(chosen) ? chosen : undefined;
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
