import { ConventionError } from '@svc/protocol/conventions';
import { type Client, type ComposedResolution, composeResolution } from '@svc/sdk';
import type { Command } from 'commander';
import type { Context } from './context.ts';
import { CommandError, EXIT, usageError } from './exit.ts';
import { challengeOfUrl, findChallengeId } from './find-challenge.ts';
import { findEtchId } from './load-receipt.ts';
import { openSession, type ServiceOptions } from './session.ts';

export interface ResolveOptions extends ServiceOptions {
  resolve?: string;
  outcome?: string;
  source?: string;
  description?: string;
}

export const withResolution = (command: Command): Command =>
  command
    .option(
      '--resolve <challenge|etch>',
      'state the outcome of a challenge you asked, or of a forecast you made',
    )
    .option('--outcome <outcome>', 'with --resolve: an outcome, a number, or void')
    .option('--source <words>', 'with --resolve: where anyone can check the outcome');

/**
 * The description names the target even after a retraction.
 * @returns undefined without --resolve
 */
export async function resolutionOf(
  { resolve, outcome, source, ...options }: ResolveOptions,
  reasoning: string,
  context: Context,
): Promise<ComposedResolution | undefined> {
  if (resolve === undefined) {
    if ((outcome ?? source) === undefined) return undefined;
    throw usageError('--outcome and --source require --resolve');
  }
  if (outcome === undefined || source === undefined)
    throw usageError('--resolve requires --outcome and --source');
  const { client } = openSession(options, context.env);
  const id =
    challengeOfUrl(resolve) === undefined
      ? await findEtchId(resolve, client.origin).catch((error: unknown) =>
          orChallenge(error, resolve, client),
        )
      : await findChallengeId(resolve, client.origin);
  const parts = { outcome, source, reasoning, description: options.description };
  return composeResolution(client, id, parts).catch((error: unknown) => {
    throw error instanceof ConventionError ? usageError(`${error.message}. Nothing was etched`) : error;
  });
}

/** An unknown code may be a challenge's. */
async function orChallenge(error: unknown, named: string, { origin }: Client): Promise<string> {
  const isNone = error instanceof CommandError && error.status === EXIT.input;
  if (!isNone || named.includes('/')) throw error;
  return findChallengeId(named, origin).catch(() => Promise.reject(error));
}
