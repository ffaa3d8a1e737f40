import { splitEtch, splitOff, splitQuestion } from '../untrusted.ts';
import * as contract from '@svc/contract';
import { fieldsOf, listOf, object, oneOf, orNull, pick, split, text } from '../schema.ts';
import { readingTool } from '../tool.ts';
import { accountCounts, accountParts, CHOSEN, etchParts } from '../outputs.ts';
import { cursor, limit, username } from './inputs.ts';

export const whoami = readingTool({
  name: 'whoami',
  title: 'Show the account in use',
  description: 'Returns the account of this connection, its service, and whether its etches are signed.',
  input: {},
  output: {
    service: text('The url of the service.'),
    account: split(fieldsOf(contract.Me), 'username', 'display_name', 'social_handle'),
    signs_with: orNull(text('The public key that signs etches; null: etches are not signed.')),
    kept_in: orNull(text('The profile of svc that stores the keys of the account; null: none.')),
  },
  forAccount: true,
  async run(_, { client, keyPair, settings }) {
    return {
      service: client.origin,
      account: splitOff(await client.me(), 'username', 'display_name', 'social_handle'),
      signs_with: keyPair?.publicKey ?? null,
      kept_in: settings.keeper?.profile ?? null,
    };
  },
});

export const limits = readingTool({
  name: 'limits',
  title: 'Read the limits of the account',
  description:
    'Returns how many etches the account has left, how many are added each hour, and the account’s kind, assurance and credential.',
  input: {},
  output: fieldsOf(contract.Limits),
  withoutTexts: true,
  forAccount: true,
  run: async (_, { client }) => ({ ...(await client.limits()) }),
});

export const record = readingTool({
  name: 'record',
  title: 'Read an account’s record',
  description: 'Returns all etches of an account, newest first and including retracted ones, with counts.',
  input: { username, cursor, limit },
  output: {
    account: accountParts,
    counts: accountCounts,
    etches: listOf(etchParts),
    page: contract.CursorPage,
  },
  async run({ username, limit: most = 10, ...place }, { client, settings: { drand } }) {
    const { user, counts, etches, page } = await client.record(username, { ...place, limit: most }).first();
    return {
      account: splitOff(user, ...CHOSEN),
      counts,
      etches: etches.map((etch) => splitEtch(etch, drand)),
      page,
    };
  },
});

export const events = readingTool({
  name: 'events',
  title: 'List the events of the account',
  description:
    'Returns what happened to your etches and to the challenges that you asked or answered, oldest first: anchored, revealed, retracted, resolved, closed. ' +
    'Store page.next_cursor, and give it as cursor to read later events only.',
  input: { cursor, limit },
  output: {
    events: listOf(
      object({
        ...pick(fieldsOf(contract.EtchAnchoredEvent), 'id', 'timestamp'),
        type: oneOf(...contract.EVENT_TYPES),
        'etch?': etchParts,
        'challenge?': split(fieldsOf(contract.ChallengeListItem), 'question'),
        'resolution?': etchParts,
      }),
    ),
    page: contract.EventPage,
  },
  forAccount: true,
  async run({ cursor: from, limit: most = 10 }, { client, settings: { drand } }) {
    const { events: found, page } = await client.events({ cursor: from, limit: most }).first();
    return {
      events: found.map(({ id, type, timestamp, data }) => ({
        ...{ id, type, timestamp },
        ...('etch' in data && { etch: splitEtch(data.etch, drand) }),
        ...('challenge' in data && { challenge: splitQuestion(data.challenge) }),
        ...('resolution' in data && { resolution: splitEtch(data.resolution, drand) }),
      })),
      page,
    };
  },
});
