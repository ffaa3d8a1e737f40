import { choice, command, flag, otherwise, read } from '../command.ts';
import { ask, say } from '../context.ts';
import { ApiError, type Client, type Etch, WaitError } from '@svc/sdk';
import { blindSealOf, etchWords, RETRACTION_LEAVES } from '../etch-words.ts';
import { EXIT, failError } from '../exit.ts';
import { ETCH, openEtch } from '../find-named.ts';
import { showPage } from '../open-page.ts';
import { count, SERVICE } from '../options.ts';
import { waitFor } from '../wait.ts';

export const showCommand = command('show', 'show the current state of an etch', {
  input: { ...SERVICE, ...ETCH, '--web': flag('open its page in a browser') },
  examples: ['svc show abc234', 'svc show <id> --json', 'svc show abc234 --web'],
  async run(options, context) {
    const { client, id } = await openEtch(options, context);
    if (options.web) return showPage(new URL(`/e/${id}`, client.origin), options, context);
    const etch = await client.getEtch(id);
    const seal = blindSealOf(etch);
    const blind = seal && { blind: { chain: seal.chain, round: seal.round, due: seal.due } };
    return { value: { etch, ...blind }, words: etchWords(etch) };
  },
});

export const revealCommand = command('reveal', 'reveal a due etch at once; this opens nothing early', {
  input: { ...SERVICE, ...ETCH },
  examples: ['svc reveal abc234'],
  async run(options, context) {
    const { client, id } = await openEtch(options, context);
    const etch = await client.reveal(id);
    return { value: { etch }, words: etchWords(etch) };
  },
});

export const retractCommand = command('retract', 'permanently erase an etch’s text, salt and signature', {
  input: { ...SERVICE, ...ETCH, '--yes': flag('do not ask for confirmation') },
  examples: ['svc retract abc234', 'svc retract abc234 --yes --json'],
  async run(options, context) {
    const { client, id } = await openEtch(options, context);
    const shown = await client.getEtch(id);
    if (!options.yes && shown.status !== 'retracted') {
      const seal = blindSealOf(shown);
      const copies = `Copies of its ciphertext can still be opened from ${seal?.due} on.`;
      say(context, ...etchWords(shown), '', ...(seal ? [copies] : []));
      const typed = await ask(`This cannot be undone. ${RETRACTION_LEAVES} Type yes to retract: `, context);
      if (typed.trim().toLowerCase() !== 'yes') throw failError('nothing was retracted');
    }
    const { etch, before } = await retractOnce(client, shown);
    const repeated = `This etch was already retracted, at ${etch.retracted_at}. Nothing changed.`;
    return {
      value: { etch, retracted_before: before, stays: RETRACTION_LEAVES },
      words: [...(before ? [repeated] : []), ...etchWords(etch), '', RETRACTION_LEAVES],
    };
  },
});

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

export const watchCommand = command('watch', 'wait until an etch is anchored, or revealed', {
  input: {
    ...SERVICE,
    ...ETCH,
    '--until <event>': otherwise('anchored', choice(['anchored', 'revealed'], 'what to wait for')),
    '--timeout <seconds>': read(
      count,
      `stop waiting after this time, with exit status ${EXIT.wait} (default: never)`,
    ),
  },
  examples: ['svc watch abc234', 'svc watch abc234 --until revealed --timeout 3600'],
  async run({ until, timeout, ...options }, context) {
    const { client, id } = await openEtch(options, context);
    const { etch, isLate } = await waitFor(until, client, { id, timeout }, context);
    if (isLate) throw new WaitError(`not ${until} within ${timeout} seconds`, 'timeout');
    return { value: { etch }, words: etchWords(etch) };
  },
});
