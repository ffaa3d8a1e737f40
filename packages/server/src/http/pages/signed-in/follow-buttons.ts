import type { SiteNotice } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { follow, unfollow } from '../../../notify/follows/store.ts';
import { answerFailure } from '../../errors.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { checked, filled, formOf } from '../form.ts';
import { callerOf, localPath, sendProblem, SignedOut } from '../session.ts';
import { seeOther, wantedForm } from '../send.ts';

export function mountFollowButtons(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock } = deps;

  void pages.register(async (buttons) => {
    buttons.setErrorHandler(backWithNotice(sendProblem(deps)));
    for (const which of ['follow', 'unfollow'] as const)
      buttons.post(`/${which}`, async (request, reply) => {
        const caller = callerOf(request);
        const form = formOf(request);
        const fields = filled(form, 'target_type', 'target_id');
        if (which === 'unfollow') await unfollow(db, caller, checked(request, 'unfollow', fields));
        else {
          const most = deps.config.limits.followsPerAccount;
          await follow({ db, clock, most }, caller, checked(request, 'follow', fields));
        }
        return seeOther(reply, localPath(form['return']));
      });
  });
}

function backWithNotice(otherwise: ReturnType<typeof sendProblem>): typeof otherwise {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const from = formOf(request)['return'];
    if (from === undefined || wantedForm(request) !== 'html') return otherwise(error, request, reply);
    if (error instanceof SignedOut) {
      const back = withNotice(localPath(from), 'follow-signed-out');
      return seeOther(reply, `/sign-in?return=${encodeURIComponent(back)}`);
    }
    const notice = NOTICES[answerFailure(error, request, reply).code];
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
