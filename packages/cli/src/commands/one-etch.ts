import { answer, ask, type Context, say, serviceCommand, type ServiceOptions } from '../context.ts';
import { type Command, Option } from 'commander';
import { ApiError, type Client, type Etch, WaitError } from '@svc/sdk';
import { blindSealOf, etchWords, RETRACTION_LEAVES } from '../etch-words.ts';
import { EXIT, failError } from '../exit.ts';
import { ETCH, openEtch } from '../find-named.ts';
import { showPage } from '../open-page.ts';
import { count } from '../options.ts';
import { waitFor } from '../wait.ts';

export function showCommand(context: Context): Command {
  return serviceCommand('show', 'show the current state of an etch', [
    'svc show abc234',
    'svc show <id> --json',
    'svc show abc234 --web',
  ])
    .argument(...ETCH)
    .option('--web', 'open its page in a browser', false)
    .action(async (target: string, options: ServiceOptions & { web: boolean }) => {
      const { client, id } = await openEtch(target, options, context);
      if (options.web) return showPage(new URL(`/e/${id}`, client.origin), options, context);
      const etch = await client.getEtch(id);
      const seal = blindSealOf(etch);
      const blind = seal && { chain: seal.chain, round: seal.round, due: seal.due };
      answer(context, options, { etch, ...(blind && { blind }) }, etchWords(etch));
    });
}

export function revealCommand(context: Context): Command {
  return serviceCommand('reveal', 'reveal a due etch at once; this opens nothing early', [
    'svc reveal abc234',
  ])
    .argument(...ETCH)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openEtch(target, options, context);
      const etch = await client.reveal(id);
      answer(context, options, { etch }, etchWords(etch));
    });
}

export function retractCommand(context: Context): Command {
  return serviceCommand('retract', 'permanently erase an etch’s text, salt and signature', [
    'svc retract abc234',
    'svc retract abc234 --yes --json',
  ])
    .argument(...ETCH)
    .option('--yes', 'do not ask for confirmation', false)
    .action(async (target: string, options: ServiceOptions & { yes: boolean }) => {
      const { client, id } = await openEtch(target, options, context);
      const before = await client.getEtch(id);
      if (!options.yes && before.status !== 'retracted') {
        const seal = blindSealOf(before);
        const copies = `Copies of its ciphertext can still be opened from ${seal?.due} on.`;
        say(context, ...etchWords(before), '', ...(seal ? [copies] : []));
        const typed = await ask(`This cannot be undone. ${RETRACTION_LEAVES} Type yes to retract: `, context);
        if (typed.trim().toLowerCase() !== 'yes') throw failError('nothing was retracted');
      }
      const { etch, before: isRepeated } = await retractOnce(client, before);
      answer(context, options, { etch, retracted_before: isRepeated, stays: RETRACTION_LEAVES }, [
        ...(isRepeated ? [`This etch was already retracted, at ${etch.retracted_at}. Nothing changed.`] : []),
        ...etchWords(etch),
        '',
        RETRACTION_LEAVES,
      ]);
    });
}

/**
 * A second retraction fails with 422, after the check of the author. A retraction after a takedown fails too, and
 * stays an error.
 */
async function retractOnce(client: Client, shown: Etch): Promise<{ etch: Etch; before: boolean }> {
  try {
    return { etch: await client.retract(shown.id), before: false };
  } catch (error) {
    const isOwn = shown.status === 'retracted' && shown.retracted_by === undefined;
    if (isOwn && error instanceof ApiError && error.status === 422) return { etch: shown, before: true };
    throw error;
  }
}

interface WatchOptions extends ServiceOptions {
  until: 'anchored' | 'revealed';
  timeout?: number;
}

export function watchCommand(context: Context): Command {
  return serviceCommand('watch', 'wait until an etch is anchored, or revealed', [
    'svc watch abc234',
    'svc watch abc234 --until revealed --timeout 3600',
  ])
    .argument(...ETCH)
    .addOption(
      new Option('--until <event>', 'what to wait for').choices(['anchored', 'revealed']).default('anchored'),
    )
    .option(
      '--timeout <seconds>',
      `stop waiting after this time, with exit status ${EXIT.wait} (default: never)`,
      count,
    )
    .action(async (target: string, options: WatchOptions) => {
      const { client, id } = await openEtch(target, options, context);
      const { until, timeout } = options;
      const { etch, isLate } = await waitFor(until, client, { id, timeout }, context);
      if (isLate) throw new WaitError(`not ${until} within ${timeout} seconds`, 'timeout');
      answer(context, options, { etch }, etchWords(etch));
    });
}
