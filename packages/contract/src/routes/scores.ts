import { Type } from 'typebox';
import { accountScore, challengeScore } from '../examples/score.ts';
import { request } from '../fields.ts';
import { AccountScore, ChallengeScore } from '../resources/score.ts';
import { idParams, pageField, usernameParams } from './inputs.ts';
import { route } from './route.ts';

const query = request({ page: Type.Optional(pageField) });
const TOO_MANY =
  'There are too many forecasts to score here; `svc score` computes the score from the record.';

export const scoreRoutes = {
  scoreAccount: route({
    operationId: 'scoreAccount',
    method: 'GET',
    path: '/api/v1/users/{username}/score',
    summary: "Score an account's forecasts",
    description:
      'Computed only from public data, so anyone can repeat it. It does not show whether the record is complete; an audit does.',
    tag: 'Discovery',
    auth: 'public',
    anonymousLimit: true,
    params: usernameParams,
    query,
    success: {
      status: 200,
      description: 'Scores over all forecasts with their denominators, and a page of the forecasts.',
      schema: AccountScore,
      example: accountScore,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: { 400: '`page` is not valid.', 404: 'There is no such account.', 422: TOO_MANY },
    extra: true,
  }),
  scoreChallenge: route({
    operationId: 'scoreChallenge',
    method: 'GET',
    path: '/api/v1/challenges/{id}/score',
    summary: 'Read the standings of a challenge',
    description: 'The resolution and the scores of the answers, computed only from public data.',
    tag: 'Challenges',
    auth: 'public',
    anonymousLimit: true,
    params: idParams('challenge'),
    query,
    success: {
      status: 200,
      description:
        'The resolution, scores over all answers with their denominators, and a page of the standings.',
      schema: ChallengeScore,
      example: challengeScore,
      headers: ['Cache-Control', 'ETag'],
    },
    refusals: { 400: '`page` is not valid.', 404: 'There is no such challenge.', 422: TOO_MANY },
    extra: true,
  }),
};
