import type { Command } from 'commander';
import { codePointLength } from '@svc/protocol';
import {
  askedByForecast,
  outcomeMisfit,
  parseQuestion,
  readWords,
  resolutionDescription,
  resolutionWords,
} from '@svc/protocol/conventions';
import type { Asked } from '@svc/protocol/conventions';
import { ApiError } from '@svc/sdk';
import type { Client } from '@svc/sdk';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { asRefusal } from './files/find-files.ts';
import { challengeOfUrl, findChallengeId } from './find-challenge.ts';
import { findEtchId } from './load-receipt.ts';
import { openSession } from './session.ts';
import type { ServiceOptions } from './session.ts';

export interface ResolveOptions extends ServiceOptions {
  resolve?: string;
  outcome?: string;
  source?: string;
  description?: string;
}

/** What a command takes that says what came true (docs/conventions.md#resolutions). */
export const withResolution = (command: Command): Command =>
  command
    .option(
      '--resolve <challenge|etch>',
      'say what came true: of a challenge you asked, or of a forecast of yours',
    )
    .option('--outcome <outcome>', 'with --resolve: an outcome, a number, or void')
    .option('--source <words>', 'with --resolve: where anybody can read that it is so');

/** A resolution, once it is known that it would count. */
export interface ComposedResolution {
  words: string;
  description: string;
  topic: string;
}

const MOST = 140;

/**
 * The words of a resolution and its description, which says what it is when the words are gone.
 * @returns undefined without --resolve
 * @throws {CommandError} on one that would not count
 */
export async function resolutionOf(
  { resolve, outcome, source, ...options }: ResolveOptions,
  reasoning: string,
  context: Context,
): Promise<ComposedResolution | undefined> {
  if (resolve === undefined) {
    if ((outcome ?? source) === undefined) return undefined;
    throw new CommandError(EXIT.usage, '--outcome and --source belong to --resolve');
  }
  if (outcome === undefined || source === undefined)
    throw new CommandError(EXIT.usage, 'give --outcome and --source beside --resolve');
  const { client } = openSession(options, context.env);
  const { target, asked, topic } = await findTarget(client, resolve);
  const misfit = outcomeMisfit(outcome, asked);
  if (misfit !== null) throw refused(misfit);
  const words = asRefusal(() => resolutionWords({ target, outcome, source }, reasoning), EXIT.usage);
  const described = resolutionDescription(target);
  const description = options.description === undefined ? described : `${described} ${options.description}`;
  if (codePointLength(description) > MOST)
    throw new CommandError(
      EXIT.usage,
      `with what it resolves, the description has more than ${MOST} characters: give one of at most ${MOST - described.length - 1}`,
    );
  return { words, description, topic };
}

async function findTarget(
  client: Client,
  named: string,
): Promise<{ target: string; asked: Asked; topic: string }> {
  const { id: me } = await client.me();
  const id =
    challengeOfUrl(named) === undefined
      ? await findEtchId(named, client.origin).catch((error: unknown) => orChallenge(error, named, client))
      : await findChallengeId(named, client.origin);
  const found = await client.getChallenge(id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  if (found !== null) {
    const { question, creator_id, creator, closed, reveal_at, category } = found.challenge;
    if (creator_id !== me) throw refused(`only ${creator.username}, who asked it, resolves this challenge`);
    if (!closed) throw refused(`the challenge closes at ${reveal_at}, and is resolved after that`);
    return { target: found.challenge.id, asked: parseQuestion(question), topic: category.id };
  }
  const etch = await client.getEtch(id);
  if (etch.author.user_id !== me)
    throw refused(`only ${etch.author.username}, who made it, resolves this forecast`);
  if (etch.challenge !== null)
    throw refused(`it is an answer to the challenge ${etch.challenge.id}, which its creator resolves`);
  if (etch.content === null) throw refused(`the etch is ${etch.status}: what it says cannot be read now`);
  const read = readWords(etch.content);
  if (read.kind !== 'forecast') throw refused('the etch is no forecast');
  return { target: etch.id, asked: askedByForecast(read), topic: etch.category.id };
}

/** A code that no etch has may be a challenge’s. */
async function orChallenge(error: unknown, named: string, { origin }: Client): Promise<string> {
  const isNone = error instanceof CommandError && error.status === EXIT.input;
  if (!isNone || named.includes('/')) throw error;
  return findChallengeId(named, origin).catch(() => Promise.reject(error));
}

const refused = (why: string) =>
  new CommandError(EXIT.usage, `this resolution would not count: ${why}. Nothing was etched`);
