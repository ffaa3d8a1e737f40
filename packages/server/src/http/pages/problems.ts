import { problemPage } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { answerFailure, answerUnknown, envelope } from '../errors.ts';
import { leaveOutEnd, namedForm, sendData, sendPage, wantedForm } from './send.ts';
import { type PageParts, siteFor } from './parts.ts';
import { loadSession, localPath, SignedOut } from './session.ts';

type Parts = Pick<PageParts, 'site' | 'signIn'>;

/** Sends a page to people and the envelope to programs. */
export function sendProblem(parts: Parts) {
  return (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> => {
    const isPage = wantedForm(request.headers.accept) === 'html';
    if (error instanceof SignedOut && isPage) return toSignIn(request, reply);
    const failure = answerFailure(error, request, reply);
    if (!isPage) return sendData(request, reply, envelope(failure));
    const { message } = failure;
    return sendPage(
      request,
      reply,
      problemPage(siteFor(parts.site, request), { status: reply.statusCode, message }),
    );
  };
}

function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const back = request.method === 'GET' ? request.url : from && from.pathname + from.search;
  return reply
    .header('Cache-Control', 'no-store')
    .redirect(`/sign-in?return=${encodeURIComponent(localPath(back))}`, 303);
}

export function answerUnknownPage(parts: Parts) {
  const load = loadSession(parts);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (leaveOutEnd(request, reply)) return reply;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || request.url.startsWith('/api/') || namedForm(request.headers.accept) !== 'html') {
      answerUnknown(request, reply);
      return reply;
    }
    await load(request);
    return sendProblem(parts)(new Failure('not_found', 'no page has this address'), request, reply);
  };
}
