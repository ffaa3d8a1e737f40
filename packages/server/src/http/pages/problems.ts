import { problemPage } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../failure.ts';
import { answerFailure, envelope } from '../errors.ts';
import { answerUnknown } from '../unknown.ts';
import { type PageParts, siteOf } from './parts.ts';
import { sendData, sendPage } from './send.ts';
import { namedForm, wantedForm } from './wanted.ts';

type SiteParts = Pick<PageParts, 'baseUrl' | 'chain'>;

/** An error on a page: a page for people, the envelope for programs. */
export function sendProblem(parts: SiteParts) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = answerFailure(error, request, reply);
    if (wantedForm(request.headers.accept) !== 'html') return sendData(request, reply, envelope(failure));
    const { message } = failure;
    return sendPage(request, reply, problemPage(siteOf(parts), { status: reply.statusCode, message }));
  };
}

/** Where nothing is: a page for those who name HTML, as browsers do, else the API's answer. */
export function answerUnknownPage(parts: SiteParts) {
  return (request: FastifyRequest, reply: FastifyReply): unknown => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || request.url.startsWith('/api/') || namedForm(request.headers.accept) !== 'html')
      return answerUnknown(request, reply);
    return sendProblem(parts)(new Failure('not_found', 'no page has this address'), request, reply);
  };
}
