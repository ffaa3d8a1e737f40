import { EVENT_TYPES } from '@svc/contract';
import { splitEtch, splitOff, splitQuestion } from '../untrusted.ts';
import { readingTool } from '../tool.ts';
import { CHOSEN } from '../outputs.ts';
import { cursor, limit, username } from './inputs.ts';

export const whoami = readingTool({
  name: 'whoami',
  title: 'Show the account in use',
  description: 'Returns the account of this connection, its service, and whether its etches are signed.',
  input: {},
  output: {
    service: 'string',
    account: 'object',
    signs_with: ['string', 'null'],
    kept_in: ['string', 'null'],
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
  output: { account: 'object', etches: 'object', authenticated_with: 'object' },
  withoutTexts: true,
  forAccount: true,
  run: async (_, { client }) => ({ ...(await client.limits()) }),
});

export const record = readingTool({
  name: 'record',
  title: 'Read an account’s record',
  description: 'Returns all etches of an account, newest first and including retracted ones, with counts.',
  input: { username, cursor, limit },
  output: { account: 'object', counts: 'object', etches: 'array', page: 'object' },
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

const HAPPENED = [...new Set(EVENT_TYPES.map((type) => type.replace(/^.*\./, '')))];

export const events = readingTool({
  name: 'events',
  title: 'List the events of the account',
  description:
    `Returns what happened to your etches and to the challenges that you asked or answered, oldest first: ${HAPPENED.join(', ')}. ` +
    'Store page.next_cursor, and give it as cursor to read later events only.',
  input: { cursor, limit },
  output: { events: 'array', page: 'object' },
  forAccount: true,
  async run({ cursor: from, limit: most = 10 }, { client, settings: { drand } }) {
    const { events: found, page } = await client.events({ cursor: from, limit: most }).first();
    return {
      events: found.map(({ id, type, timestamp, data }) => ({
        id,
        type,
        timestamp,
        ...('etch' in data && { etch: splitEtch(data.etch, drand) }),
        ...('challenge' in data && { challenge: splitQuestion(data.challenge) }),
        ...('resolution' in data && { resolution: splitEtch(data.resolution, drand) }),
      })),
      page,
    };
  },
});
