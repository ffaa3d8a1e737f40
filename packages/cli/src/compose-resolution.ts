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

/** docs/conventions.md#resolutions */
export const withResolution = (command: Command): Command =>
  command
    .option(
      '--resolve <challenge|etch>',
      'state the outcome of a challenge you asked, or of a forecast you made',
    )
    .option('--outcome <outcome>', 'with --resolve: an outcome, a number, or void')
    .option('--source <words>', 'with --resolve: where anyone can check the outcome');

/** A score would count it. */
export interface ComposedResolution {
  words: string;
  description: string;
  topic: string;
}

const MOST = 140;

/**
 * The description names the target even after a retraction.
 * @returns undefined without --resolve
 * @throws {CommandError} when a score would not count the resolution
 */
export async function resolutionOf(
  { resolve, outcome, source, ...options }: ResolveOptions,
  reasoning: string,
  context: Context,
): Promise<ComposedResolution | undefined> {
  if (resolve === undefined) {
    if ((outcome ?? source) === undefined) return undefined;
    throw new CommandError(EXIT.usage, '--outcome and --source require --resolve');
  }
  if (outcome === undefined || source === undefined)
    throw new CommandError(EXIT.usage, '--resolve requires --outcome and --source');
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
      `the description with its prefix “${described}” has more than ${MOST} characters: give --description with at most ${MOST - described.length - 1}`,
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
    if (creator_id !== me) throw refused(`only its creator ${creator.username} can resolve this challenge`);
    if (!closed) throw refused(`the challenge is open until ${reveal_at}; resolve it after that`);
    return { target: found.challenge.id, asked: parseQuestion(question), topic: category.id };
  }
  const etch = await client.getEtch(id);
  if (etch.author.user_id !== me)
    throw refused(`only its author ${etch.author.username} can resolve this forecast`);
  if (etch.challenge !== null)
    throw refused(
      `the etch answers the challenge ${etch.challenge.id}, which the challenge’s creator resolves`,
    );
  if (etch.content === null) throw refused(`the etch is ${etch.status}, so its text cannot be read`);
  const read = readWords(etch.content);
  if (read.kind !== 'forecast') throw refused('the etch is not a forecast');
  return { target: etch.id, asked: askedByForecast(read), topic: etch.category.id };
}

/** An unknown code may be a challenge's. */
async function orChallenge(error: unknown, named: string, { origin }: Client): Promise<string> {
  const isNone = error instanceof CommandError && error.status === EXIT.input;
  if (!isNone || named.includes('/')) throw error;
  return findChallengeId(named, origin).catch(() => Promise.reject(error));
}

const refused = (why: string) =>
  new CommandError(EXIT.usage, `this resolution would not count: ${why}. Nothing was etched`);
