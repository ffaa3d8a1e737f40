import { Type } from 'typebox';
import { guide, submission, tester } from '../examples/guide.ts';
import { envelope, listOf, looseTextField, request, uuidField } from '../fields.ts';
import { ANSWER_MAX, ANSWERS_MAX, Guide, GuideTester } from '../resources/guide.ts';
import { created, GET, ok, POST, routes } from './route.ts';

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

export const guideRoutes = routes('Guide', {
  getGuide: GET('/me/guide', 'caller', "Read the tester guide with the caller's progress", {
    success: ok('The guide.', Guide, guide),
    refusals: { 404: 'The guide is disabled.' },
  }),
  listAnswers: GET('/guide/answers', 'caller', "Read all testers' answers", {
    success: ok(
      'Each tester, with progress and answers.',
      envelope({ testers: listOf(GuideTester, 'Each tester.') }),
      { testers: [tester] },
    ),
    refusals: { 404: 'The guide is disabled, or the caller is not one of its readers.' },
  }),
  sendAnswers: POST('/guide/answers', 'public', 'Answer questions of the guide', {
    description: 'Works signed in and signed out. Each non-empty answer is stored separately.',
    refusesReadKey: true,
    body: SendAnswersBody,
    bodyExample: submission,
    success: created(
      'The number of stored answers.',
      envelope({ sent: Type.Integer({ minimum: 1, description: 'The number of stored answers.' }) }),
      { sent: 1 },
    ),
    refusals: {
      400: 'There are no answers, too many answers or only empty ones, an answer is too long, or a question is unknown.',
      404: 'The guide is disabled.',
      429: "Too many signed-out answers from the address in an hour, or the key's requests for this minute are used up.",
    },
  }),
});
