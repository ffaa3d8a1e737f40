import { Type } from 'typebox';
import {
  challengeCounts,
  challengeDetail,
  challengeEtch,
  challengeItem,
  createdChallenge,
  numberedPage,
} from '../examples/challenge.ts';
import { cursorPage } from '../examples/batch.ts';
import { envelope, listOf, looseTextField, oneOf, request, shape, textField, timeField } from '../fields.ts';
import {
  CHALLENGE_SORTS,
  CHALLENGE_STATUSES,
  ChallengeCounts,
  ChallengeDetail,
  ChallengeListItem,
  CreatedChallenge,
  QUESTION_MAX,
} from '../resources/challenge.ts';
import { Etch } from '../resources/etch.ts';
import { CursorPage, NumberedPage } from '../resources/page.ts';
import { CategoryId } from '../topics.ts';
import { IdempotencyHeaders, categoriesField, cursorQuery, idParams, sortField } from './inputs.ts';
import { REVALIDATED, created, GET, ok, POST, routes } from './route.ts';

export const CHALLENGE_ETCH_SORTS = ['newest', 'soonest'] as const;

export const CreateChallengeBody = request({
  question: textField(QUESTION_MAX, `The question, at most ${QUESTION_MAX} code points.`),
  category_id: CategoryId,
  reveal_at: timeField(
    'When the challenge closes and all its etches are revealed: an RFC 3339 time, at least five minutes ahead.',
  ),
});

export const ChallengeListQuery = shape('ChallengeListQuery', 'The applied query, with all defaults.', {
  status: oneOf(CHALLENGE_STATUSES, 'The status of the listed challenges.'),
  sort: oneOf(CHALLENGE_SORTS, 'Their order.'),
  categories: listOf(CategoryId, 'The topics; empty: all topics.'),
});

export const challengeRoutes = routes('Challenges', {
  listChallenges: GET('/challenges', 'public', 'List challenges', {
    description:
      'Unknown values fall back to the defaults; `query` shows the applied values. `soonest` lists open challenges by closing time and closed ones by most recent closing; with `all`, open ones come first.',
    anonymousLimit: true,
    query: request({
      status: Type.Optional(sortField(CHALLENGE_STATUSES, '`open` unless given and known')),
      category: Type.Optional(categoriesField),
      sort: Type.Optional(sortField(CHALLENGE_SORTS, '`soonest` unless given and known')),
      // Only here an invalid page means the first page.
      page: Type.Optional(looseTextField('The page, from 1; a page has 30 items. Any other value means 1.')),
    }),
    success: ok(
      'Challenges.',
      envelope({
        query: ChallengeListQuery,
        challenges: listOf(ChallengeListItem, 'The challenges of this page.'),
        page: NumberedPage,
      }),
      {
        query: { status: 'open', sort: 'soonest', categories: [] },
        challenges: [challengeItem],
        page: numberedPage,
      },
    ),
    refusals: { 400: 'A parameter is repeated or contains NUL.' },
  }),
  createChallenge: POST('/challenges', 'write', 'Open a challenge', {
    description: 'Uses one of the daily challenges; a replay uses none.',
    headers: IdempotencyHeaders,
    body: CreateChallengeBody,
    bodyExample: {
      question: createdChallenge.question,
      category_id: 'culture',
      reveal_at: '2026-03-01T13:00:00+01:00',
    },
    success: created(
      'The challenge; on a replay, the original one.',
      envelope({ challenge: CreatedChallenge }),
      { challenge: createdChallenge },
      'Idempotent-Replay',
    ),
    refusals: {
      400: 'The body is not valid, the topic is unknown, or the reveal time is too soon.',
      409: 'The idempotency key was used for a different request.',
      429: "The daily challenges or the key's requests for this minute are used up.",
    },
  }),
  getChallenge: GET('/challenges/{id}', 'public', 'Read a challenge and its etches', {
    description:
      'While the challenge is open, its etches are sealed: only their authors and days are public.',
    params: idParams('challenge'),
    query: request({
      sort: Type.Optional(sortField(CHALLENGE_ETCH_SORTS, '`newest` unless given and known')),
      ...cursorQuery,
    }),
    success: ok(
      'The challenge, its counts, and a page of its etches.',
      envelope({
        challenge: ChallengeDetail,
        counts: ChallengeCounts,
        sort: oneOf(CHALLENGE_ETCH_SORTS, 'The order of the etches.'),
        etches: listOf(Etch, 'The etches of this page.'),
        page: CursorPage,
      }),
      {
        challenge: challengeDetail,
        counts: challengeCounts,
        sort: 'newest',
        etches: [challengeEtch],
        page: cursorPage,
      },
      ...REVALIDATED,
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.', 404: 'There is no such challenge.' },
  }),
});
