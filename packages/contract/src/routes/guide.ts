import { Type } from 'typebox';
import { guide, submission, tester } from '../examples/guide.ts';
import { envelope, looseTextField, request, uuidField } from '../fields.ts';
import { ANSWER_MAX, ANSWERS_MAX, Guide, GuideTester } from '../resources/guide.ts';
import { route } from './route.ts';

export const SendAnswersBody = request({
  anon_key: Type.Optional(
    uuidField('Only for signed-out callers: a random UUID that groups the answers of one tester.'),
  ),
  answers: Type.Array(
    request({
      question: looseTextField('A question id from the guide.'),
      answer: looseTextField(`At most ${ANSWER_MAX} code points; an empty answer is not stored.`, {
        maxLength: ANSWER_MAX,
      }),
    }),
    { minItems: 1, maxItems: ANSWERS_MAX, description: `At most ${ANSWERS_MAX} of them.` },
  ),
});

export const guideRoutes = {
  getGuide: route({
    operationId: 'getGuide',
    method: 'GET',
    path: '/api/v1/me/guide',
    summary: "Read the tester guide with the caller's progress",
    tag: 'Guide',
    auth: 'caller',
    success: { status: 200, description: 'The guide.', schema: Guide, example: guide },
    refusals: { 404: 'The guide is disabled.' },
  }),
  listAnswers: route({
    operationId: 'listAnswers',
    method: 'GET',
    path: '/api/v1/guide/answers',
    summary: "Read all testers' answers",
    tag: 'Guide',
    auth: 'caller',
    success: {
      status: 200,
      description: 'Each tester, with progress and answers.',
      schema: envelope({ testers: Type.Array(GuideTester, { description: 'Each tester.' }) }),
      example: { testers: [tester] },
    },
    refusals: { 404: 'The guide is disabled, or the caller is not one of its readers.' },
  }),
  sendAnswers: route({
    operationId: 'sendAnswers',
    method: 'POST',
    path: '/api/v1/guide/answers',
    summary: 'Answer questions of the guide',
    description: 'Works signed in and signed out. Each non-empty answer is stored separately.',
    tag: 'Guide',
    auth: 'public',
    refusesReadKey: true,
    body: SendAnswersBody,
    bodyExample: submission,
    success: {
      status: 201,
      description: 'The number of stored answers.',
      schema: envelope({ sent: Type.Integer({ minimum: 1, description: 'The number of stored answers.' }) }),
      example: { sent: 1 },
    },
    refusals: {
      400: 'There are no answers, too many answers or only empty ones, an answer is too long, or a question is unknown.',
      404: 'The guide is disabled.',
      429: "Too many signed-out answers from the address in an hour, or the key's requests for this minute are used up.",
    },
  }),
};
