// Finds what a person may resolve: a closed challenge of theirs, or a forecast that they wrote.
import { type AnswerFormat, formatOfForecast, parseQuestion, readWords } from '@svc/protocol/conventions';
import { titleOf } from '@svc/web/etch-text';
import { findChallengeDetail } from '../../../challenges/store.ts';
import { isClosed } from '../../../challenges/view.ts';
import { etchView } from '../../../etches/view.ts';
import type { Caller } from '../../../identity/caller.ts';
import { Failure } from '../../../platform/failure.ts';
import {
  type ResolvedOutcome,
  readForecastOutcome,
  readOutcomes,
} from '../../../records/scores/resolution.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { challengeFinder, etchFinder } from '../find-subject.ts';
import { topicLabel } from '@svc/web/parts/etch-terms';

// What a person may resolve: a closed challenge of theirs, or a forecast that they wrote.
export interface Resolving {
  path: string;
  question: string;
  format: Exclude<AnswerFormat, { asks: 'text' }>;
  topic: string;
}

export interface Target extends Resolving {
  id: string;
  category: string;
  outcome: ResolvedOutcome;
}

export function targetFinder(deps: HttpDependencies) {
  const { db, clock, view } = deps;
  const findEtch = etchFinder(deps.etches.reader);
  const findChallengeId = challengeFinder(db);

  async function findChallenge(caller: Caller | undefined, name: string): Promise<Target> {
    const found = await findChallengeDetail(db, await findChallengeId(name));
    if (!found) throw new Failure('not_found', 'no challenge has this address');
    const { id, question, category_id: category, creator_id: creatorId, username, reveal_at: closes } = found;
    if (caller && creatorId !== caller.userId)
      throw new Failure('forbidden', `only @${username}, who created this challenge, can resolve it`);
    const format = parseQuestion(question);
    if (format.asks === 'text')
      throw new Failure('unprocessable', 'this challenge asks for a text, so it cannot be resolved');
    const now = clock.now();
    if (!isClosed(found, now))
      throw new Failure('unprocessable', `this challenge is open until ${closes}: resolve it after that`);
    const outcomes = await readOutcomes(db, [found], { keyring: view.keyring, now });
    const topic = topicLabel(category);
    return { id, path: `/ch/${id}`, question, format, category, topic, outcome: outcomes.get(id)! };
  }

  async function findForecast(caller: Caller | undefined, name: string): Promise<Target> {
    const now = clock.now();
    const etch = etchView(await findEtch(name), now, view);
    const { id, author, content, challenge, category } = etch;
    if (challenge !== null)
      throw new Failure(
        'unprocessable',
        'this etch answers a challenge: the challenge’s creator resolves it',
      );
    if (caller && author.user_id !== caller.userId)
      throw new Failure('forbidden', `only @${author.username}, who wrote this forecast, can resolve it`);
    const words = readWords(content ?? '');
    if (words.kind !== 'forecast')
      throw new Failure('unprocessable', 'this etch is no public forecast, so it cannot be resolved');
    const format = formatOfForecast(words);
    if (format.asks === 'text') throw new Failure('unprocessable', 'this forecast cannot be resolved');
    return {
      id,
      path: `/e/${id}`,
      question: titleOf(etch),
      format,
      category: category.id,
      topic: category.label,
      outcome: await readForecastOutcome(db, etch, words, { keyring: view.keyring, now }),
    };
  }

  return { findChallenge, findForecast };
}

/** @returns the etch that resolved it already */
export function resolvedBy({ outcome }: Target): string | undefined {
  switch (outcome.state) {
    case 'resolved':
    case 'void':
      return outcome.first.etch_id;
    case 'pending':
      return outcome.etchId;
    case 'retracted':
      throw new Failure(
        'unprocessable',
        'you retracted the first resolution of this question, so it stays unresolved permanently',
      );
    case 'open':
      return undefined;
  }
}
