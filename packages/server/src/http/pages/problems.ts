import { problemPage } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { answerFailure, answerUnknown, envelope } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { leaveOutEnd, namedForm, seeOther, sendData, sendPage, wantedForm } from './send.ts';
import { loadSession, localPath, SignedOut } from './session.ts';
import { siteFor } from './site.ts';

/** Sends a page to people and the envelope to programs. */
export function sendProblem(parts: Parts) {
  return (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> => {
    const isPage = wantedForm(request) === 'html';
    if (error instanceof SignedOut && isPage) return toSignIn(request, reply);
    const failure = answerFailure(error, request, reply);
    if (!isPage) return sendData(request, reply, envelope(failure));
    const { message } = failure;
    return sendPage(
      request,
      reply,
      problemPage(siteFor(parts, request), { status: reply.statusCode, message }),
    );
  };
}

function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const back = request.method === 'GET' ? request.url : from && from.pathname + from.search;
  return seeOther(reply, `/sign-in?return=${encodeURIComponent(localPath(back))}`);
}

export function answerUnknownPage(parts: Parts) {
  const load = loadSession(parts);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (leaveOutEnd(request, reply)) return reply;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || request.url.startsWith('/api/') || namedForm(request) !== 'html') {
      answerUnknown(request, reply);
      return reply;
    }
    await load(request);
    return sendProblem(parts)(new Failure('not_found', 'no page has this address'), request, reply);
  };
}
