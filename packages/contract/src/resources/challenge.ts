import { Type, type Static } from 'typebox';
import { Code, Count, Time, Url, Uuid, shape, told } from '../fields.ts';
import { Category, CategoryId } from '../topics.ts';
import { Official, nameFields } from './author.ts';

export const CHALLENGE_STATUSES = ['open', 'closed', 'all'] as const;
export type ChallengeStatus = (typeof CHALLENGE_STATUSES)[number];

export const CHALLENGE_SORTS = ['soonest', 'newest', 'oldest', 'most', 'least'] as const;
export type ChallengeSort = (typeof CHALLENGE_SORTS)[number];

/** In code points. */
export const QUESTION_MAX = 280;

const id = told(Uuid, "The challenge's id.");
const question = Type.String({ maxLength: QUESTION_MAX, description: 'What is asked.' });
const created_at = told(Time, 'When it was opened.');
const reveal_at = told(Time, 'When etching in it ends and every etch in it is revealed.');
const closed = Type.Boolean({ description: 'Has `reveal_at` passed?' });
const url = told(Url, 'Its page.');
const creator_id = told(Uuid, 'The account that asked.');

export const ChallengeListItem = shape(
  'ChallengeListItem',
  {
    id,
    question,
    category_id: CategoryId,
    created_at,
    reveal_at,
    closed,
    etch_count: told(Count, 'Etches in it, retracted ones too.'),
    participant_count: told(Count, 'Accounts that etched in it.'),
    url,
  },
  'A challenge in a list.',
);
export type ChallengeListItem = Static<typeof ChallengeListItem>;

export const CreatedChallenge = shape(
  'CreatedChallenge',
  { id, question, category: Category, creator_id, created_at, reveal_at, url },
  'A challenge as it was opened.',
);
export type CreatedChallenge = Static<typeof CreatedChallenge>;

export const ChallengeCreator = shape(
  'ChallengeCreator',
  { ...nameFields, official: Official },
  'The account that asked a challenge.',
);
export type ChallengeCreator = Static<typeof ChallengeCreator>;

export const ChallengeDetail = shape(
  'ChallengeDetail',
  {
    id,
    code: told(Code, 'Six characters that lead to it; set when it was opened.'),
    short_url: told(Url, 'Its page under the code, as permanent as the other.'),
    question,
    category: Category,
    creator_id,
    creator: ChallengeCreator,
    created_at,
    reveal_at,
    closed,
  },
  'A challenge with who asked it.',
);
export type ChallengeDetail = Static<typeof ChallengeDetail>;

export const ChallengeCounts = shape(
  'ChallengeCounts',
  {
    etches: told(Count, 'Etches in it, retracted ones too.'),
    participants: told(Count, 'Accounts that etched in it.'),
    sealed: told(Count, 'Etches in it still sealed.'),
    revealed: told(Count, 'Etches in it that are public.'),
    retracted: told(Count, 'Etches in it that their author retracted.'),
    taken_down: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Taken down by the operator; absent when there are none.' }),
    ),
  },
  'How many etches a challenge has, by what became of them.',
);
export type ChallengeCounts = Static<typeof ChallengeCounts>;
