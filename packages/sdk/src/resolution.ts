import type { TopicId } from '@svc/contract/types';
import { codePointLength } from '@svc/protocol';
import * as conventions from '@svc/protocol/conventions';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';

export interface ComposedResolution {
  content: string;
  description: string;
  category_id: TopicId;
}

export interface ResolutionParts {
  /** an outcome, a number, or `void` */
  readonly outcome: string;
  /** where readers can check it */
  readonly source: string;
  readonly reasoning?: string | undefined;
  /** follows the target */
  readonly description?: string | undefined;
}

const MOST = 140;

/**
 * Composes the etch that resolves the account's own challenge or forecast. Etch it with the mode `instant`
 * (docs/conventions.md#resolutions).
 * @param id of the challenge or of the forecast
 * @throws {ConventionError} when a score would not count it; the message can quote texts of other accounts
 * @example
 * const body = { content: 'svc-forecast:v1 yes=0.7', description: 'Rain', category_id: 'science', mode: 'instant' };
 * const { etch } = await client.etch(body);
 * const parts = { outcome: 'yes', source: 'https://example.org/rain' };
 * (await composeResolution(client, etch.id, parts)).description; // `svc-resolution:v1 ${etch.id}`
 */
export async function composeResolution(
  client: Client,
  id: string,
  { outcome, source, reasoning = '', description: more }: ResolutionParts,
): Promise<ComposedResolution> {
  const { target, format, topic } = await findTarget(client, id);
  const misfit = conventions.outcomeMisfit(outcome, format);
  if (misfit !== null) throw refused(misfit);
  const content = conventions.resolutionWords({ target, outcome, source }, reasoning);
  const described = conventions.resolutionDescription(target);
  const description = more === undefined ? described : `${described} ${more}`;
  if (codePointLength(description) > MOST)
    throw new conventions.ConventionError(
      `the description with its prefix “${described}” has more than ${MOST} characters: give a description with at most ${MOST - described.length - 1}`,
    );
  return { content, description, category_id: topic };
}

async function findTarget(
  client: Client,
  id: string,
): Promise<{ target: string; format: conventions.AnswerFormat; topic: TopicId }> {
  const { id: me } = await client.me();
  const found = await client.getChallenge(id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  if (found !== null) {
    const { question, creator_id, creator, closed, reveal_at, category } = found.challenge;
    if (creator_id !== me) throw refused(`only its creator ${creator.username} can resolve this challenge`);
    if (!closed) throw refused(`the challenge is open until ${reveal_at}; resolve it after that`);
    return { target: found.challenge.id, format: conventions.parseQuestion(question), topic: category.id };
  }
  const etch = await client.getEtch(id);
  if (etch.author.user_id !== me)
    throw refused(`only its author ${etch.author.username} can resolve this forecast`);
  if (etch.challenge !== null)
    throw refused(
      `the etch answers the challenge ${etch.challenge.id}, which the challenge’s creator resolves`,
    );
  if (etch.content === null) throw refused(`the etch is ${etch.status}, so its text cannot be read`);
  const read = conventions.readWords(etch.content);
  if (read.kind !== 'forecast') throw refused('the etch is not a forecast');
  return { target: etch.id, format: conventions.formatOfForecast(read), topic: etch.category.id };
}

const refused = (why: string) => new conventions.ConventionError(`this resolution would not count: ${why}`);
