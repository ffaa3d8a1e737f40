import type { SiteNotice } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerFailure } from '../../errors.ts';
import { formOf } from '../form.ts';
import { seeOther } from '../see-other.ts';
import { localPath, SignedOut } from '../session.ts';
import { wantedForm } from '../wanted.ts';

type Answering = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply>;

export function backWithNotice(otherwise: Answering): Answering {
  return (error, request, reply) => {
    const from = formOf(request)['return'];
    if (from === undefined || wantedForm(request.headers.accept) !== 'html')
      return otherwise(error, request, reply);
    if (error instanceof SignedOut)
      return seeOther(
        reply,
        `/sign-in?return=${encodeURIComponent(withNotice(localPath(from), 'follow-signed-out'))}`,
      );
    const { code } = answerFailure(error, request, reply);
    const notice = NOTICES[code];
    if (!notice) return otherwise(error, request, reply);
    return seeOther(reply.removeHeader('Retry-After'), withNotice(localPath(from), notice));
  };
}

const NOTICES: Readonly<Record<string, SiteNotice>> = {
  conflict: 'follow-full',
  bad_request: 'follow-gone',
  forbidden: 'follow-suspended',
  service_unavailable: 'follow-later',
  rate_limited: 'follow-later',
};

function withNotice(path: string, notice: SiteNotice): string {
  const url = new URL(path, 'http://here.invalid');
  url.searchParams.set('notice', notice);
  return url.pathname + url.search;
}
