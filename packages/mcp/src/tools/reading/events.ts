import { ChallengeListItem, EtchAnchoredEvent, EVENT_TYPES, EventPage } from '@svc/contract';
import { etchParts, warning } from '../../outputs.ts';
import { fieldsOf, listOf, object, oneOf, pick, split } from '../../schema.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, splitQuestion, WARNING } from '../../untrusted.ts';
import { cursor, limit } from '../inputs.ts';

export const events = readingTool({
  name: 'events',
  title: 'List the events of the account',
  description:
    'Returns what happened to your etches and to the challenges that you asked or answered, oldest first: anchored, revealed, retracted, resolved, closed. ' +
    'Store page.next_cursor, and give it as cursor to read later events only.',
  input: { cursor, limit },
  output: object({
    warning,
    events: listOf(
      object({
        ...pick(fieldsOf(EtchAnchoredEvent), 'id', 'timestamp'),
        type: oneOf(...EVENT_TYPES),
        'etch?': etchParts,
        'challenge?': split(fieldsOf(ChallengeListItem), 'question'),
        'resolution?': etchParts,
      }),
    ),
    page: EventPage,
  }),
  forAccount: true,
  async run({ cursor: from, limit: most = 10 }, { client, settings: { drand } }) {
    const { events: found, page } = await client.events({ cursor: from, limit: most }).first();
    return {
      warning: WARNING,
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
