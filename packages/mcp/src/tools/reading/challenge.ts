import {
  ChallengeCounts,
  ChallengeCreator,
  ChallengeDetail,
  ChallengeListItem,
  CursorPage,
} from '@svc/contract';
import { findChallengeId } from '../../find-id.ts';
import { etchParts, warning } from '../../outputs.ts';
import { fieldsOf, listOf, object, omit, pick, split } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { readingTool } from '../../tool.ts';
import { splitEtch, splitQuestion, WARNING } from '../../untrusted.ts';
import { challengeName } from '../inputs.ts';

const NAMES = ['username', 'display_name', 'social_handle'];
const detail = fieldsOf(ChallengeDetail);
const creator = fieldsOf(ChallengeCreator);

export const challenge = readingTool({
  name: 'challenge',
  title: 'Read or list challenges',
  description:
    'A challenge is a question whose answers stay sealed until it closes; each account answers once. Without id this lists open challenges; with id it returns one with its answers. ' +
    'Use ask_challenge to ask, and enter_challenge to answer.',
  input: { id: challengeName.optional() },
  output: object({
    warning,
    'challenges?': listOf(split(fieldsOf(ChallengeListItem), 'question')),
    'challenge?': object({
      facts: object({
        ...omit(detail, 'question', 'creator'),
        creator: object(omit(creator, ...NAMES)),
      }),
      untrusted: object({ ...pick(detail, 'question'), ...pick(creator, ...NAMES) }),
    }),
    'counts?': ChallengeCounts,
    'etches?': listOf(etchParts),
    'page?': CursorPage,
  }),
  run: ({ id }, session) => (id === undefined ? list(session) : read(id, session)),
});

async function list({ client }: Session) {
  const { challenges } = await client.challenges().first();
  return { warning: WARNING, challenges: challenges.map(splitQuestion) };
}

async function read(named: string, { client, settings }: Session) {
  const {
    challenge: found,
    counts,
    etches,
    page,
  } = await client.getChallenge(await findChallengeId(named, client));
  const { question, creator: asker, ...facts } = found;
  const { username, display_name, social_handle, ...known } = asker;
  return {
    warning: WARNING,
    challenge: {
      facts: { ...facts, creator: known },
      untrusted: { question, username, display_name, social_handle },
    },
    counts,
    etches: etches.map((etch) => splitEtch(etch, settings.drand)),
    page,
  };
}
