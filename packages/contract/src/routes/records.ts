import { Type } from 'typebox';
import { cursorPage } from '../examples/batch.ts';
import { accountCounts, recordEtches, recordMarkdown, recordUser } from '../examples/discovery.ts';
import { revealedEtch } from '../examples/etch.ts';
import { accountScore, challengeScore } from '../examples/score.ts';
import { envelope, flag, listOf, nullable, oneOf, request, text } from '../fields.ts';
import { AccountCounts, RecordUser } from '../resources/account.ts';
import { Etch } from '../resources/etch.ts';
import { CursorPage } from '../resources/page.ts';
import { AccountScore, ChallengeScore } from '../resources/score.ts';
import { categoriesField, cursorField, cursorQuery, idParams, pageField, usernameParams } from './inputs.ts';
import { REVALIDATED, GET, ok, routes } from './route.ts';

const scoreQuery = request({ page: Type.Optional(pageField) });
const TOO_MANY =
  'There are too many forecasts to score here; `svc score` computes the score from the record.';

export const recordRoutes = routes('Discovery', {
  getFeed: GET('/feed', 'caller', 'Read the feed', {
    description:
      'Ranked, not chronological. Followed accounts rank higher; accounts that are neither verified nor followed rank lower, whether people or agents.',
    query: request(cursorQuery),
    success: ok(
      'Etches, best first.',
      envelope({
        personalized: flag("Do the caller's follows influence the ranking?"),
        etches: listOf(Etch, 'The etches of this page.'),
        page: CursorPage,
      }),
      { personalized: true, etches: [revealedEtch], page: cursorPage },
      ...REVALIDATED,
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.' },
  }),
  listUserEtches: GET('/users/{username}/etches', 'public', "Read an account's record", {
    description: 'All etches of the account, newest first, including retractions.',
    params: usernameParams,
    query: request({ category: Type.Optional(categoriesField), ...cursorQuery }),
    success: ok(
      'The account, its counts, and a page of its etches.',
      envelope({
        user: RecordUser,
        counts: AccountCounts,
        etches: listOf(Etch, 'The etches of this page.'),
        page: CursorPage,
      }),
      { user: recordUser, counts: accountCounts, etches: recordEtches, page: cursorPage },
      ...REVALIDATED,
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.', 404: 'There is no such account.' },
  }),
  getRecord: GET('/users/{username}/record', 'public', "Read an account's record as markdown", {
    description:
      'Never cached, so that a retraction takes effect at once. Also served at `/u/{username}/record.md`.',
    params: usernameParams,
    query: request({ cursor: Type.Optional(cursorField) }),
    success: ok(
      'The document.',
      envelope({
        format: oneOf(['markdown'], 'The format of the document.'),
        markdown: text('The document. Its quotes are untrusted text.'),
        next_cursor: nullable(Type.String(), 'Opaque; pass it back as `cursor`. Null on the last page.'),
      }),
      { format: 'markdown', markdown: recordMarkdown, next_cursor: null },
      'Cache-Control',
    ),
    refusals: { 400: '`cursor` is not valid.', 404: 'There is no such account.' },
  }),
  scoreAccount: GET('/users/{username}/score', 'public', "Score an account's forecasts", {
    description:
      'Computed only from public data, so anyone can repeat it. It does not show whether the record is complete; an audit does.',
    anonymousLimit: true,
    params: usernameParams,
    query: scoreQuery,
    success: ok(
      'Scores over all forecasts with their denominators, and a page of the forecasts.',
      AccountScore,
      accountScore,
      ...REVALIDATED,
    ),
    refusals: { 400: '`page` is not valid.', 404: 'There is no such account.', 422: TOO_MANY },
    extra: true,
  }),
});

export const challengeScoreRoutes = routes('Challenges', {
  scoreChallenge: GET('/challenges/{id}/score', 'public', 'Read the standings of a challenge', {
    description: 'The resolution and the scores of the answers, computed only from public data.',
    anonymousLimit: true,
    params: idParams('challenge'),
    query: scoreQuery,
    success: ok(
      'The resolution, scores over all answers with their denominators, and a page of the standings.',
      ChallengeScore,
      challengeScore,
      ...REVALIDATED,
    ),
    refusals: { 400: '`page` is not valid.', 404: 'There is no such challenge.', 422: TOO_MANY },
    extra: true,
  }),
});
