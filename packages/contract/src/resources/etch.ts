import { MAX_PROMISE_PATH } from '@svc/protocol';
import { Type, type Static, type TSchema } from 'typebox';
import {
  Code,
  Day,
  Hex64,
  Time,
  Url,
  Uuid,
  hex32,
  nullable,
  oneKind,
  oneOf,
  shape,
  text,
  doc,
} from '../fields.ts';
import { Category } from '../topics.ts';
import { Author } from './author.ts';
import { Chain } from './chain.ts';

/** In code points. */
export const CONTENT_MAX = 2000;
export const DESCRIPTION_MAX = 140;

export const ETCH_STATUSES = ['sealed', 'revealed', 'retracted'] as const;
export type EtchStatus = (typeof ETCH_STATUSES)[number];

export const TAKEDOWN_REASONS = [
  'illegal',
  'court_order',
  'personal_data',
  'copyright',
  'abuse',
  'malware',
] as const;
export type TakedownReason = (typeof TAKEDOWN_REASONS)[number];

export const ETCH_MODES = ['instant', 'delayed'] as const;

export const EtchChallenge = shape('EtchChallenge', 'The challenge that an etch answers.', {
  id: doc(Uuid, "The challenge's id."),
  question: text('The question.'),
  url: doc(Url, 'Its page.'),
});

export const ContentSignature = shape(
  'ContentSignature',
  "The author's Ed25519 signature over `svc-sig:v1|<user_id>|<sha256(content)>`.",
  { value: doc(Hex64, 'The signature.'), public_key: hex32('The key that verifies the signature.') },
);

const STATUS = {
  sealed: 'Hidden until `reveal_at`: only the index fields are public.',
  revealed: 'Public.',
  retracted: 'Erased by its author or the operator; a tombstone remains.',
} as const;

export const EtchStatusField = oneOf(ETCH_STATUSES, 'The state of the etch.');

const mode = oneOf(ETCH_MODES, '`instant`: public at once. `delayed`: sealed until `reveal_at`.');
const revealTime = doc(Time, 'When it is revealed or was due to be revealed.');
const hidden = Type.Null({ description: 'Null while sealed.' });
const erased = Type.Null({ description: 'Null after a retraction.' });
const noRetraction = Type.Null({ description: 'Null until it is retracted.' });

function etchOf<const S extends EtchStatus, P extends StatusFields>(title: string, status: S, fields: P) {
  const own = <K extends keyof StatusFields>(name: K): P[K] => fields[name];
  return shape(title, STATUS[status], {
    id: doc(Uuid, "The etch's id."),
    status: oneOf([status], STATUS[status]),
    mode: own('mode'),
    hash: hex32('SHA-256 of the canonical string; always public.'),
    description: Type.String({
      maxLength: DESCRIPTION_MAX,
      description: 'Public at once and never edited.',
    }),
    content: own('content'),
    salt: own('salt'),
    created_at: own('created_at'),
    created_on: doc(Day, 'The UTC day of its creation; always public.'),
    reveal_at: own('reveal_at'),
    revealed_at: own('revealed_at'),
    retracted_at: own('retracted_at'),
    author: Author,
    category: Category,
    challenge: nullable(EtchChallenge, 'The challenge that it answers, or null.'),
    chain: Chain,
    signature: own('signature'),
    canonical_string: own('canonical_string'),
    code: doc(Code, 'A code of six characters in its short URL; it never changes.'),
    url: doc(Url, 'Its page.'),
    short_url: doc(Url, 'The short URL of its page, as permanent as the long one.'),
    verify_url: doc(Url, 'The page that verifies it.'),
  });
}

type TimeField = 'created_at' | 'reveal_at' | 'revealed_at' | 'retracted_at';
type StatusFields = Record<
  'mode' | 'content' | 'salt' | TimeField | 'signature' | 'canonical_string',
  TSchema
>;

export const SealedEtch = etchOf('SealedEtch', 'sealed', {
  mode: oneOf(['delayed'], 'Sealed until `reveal_at`.'),
  content: hidden,
  salt: hidden,
  created_at: hidden,
  reveal_at: doc(Time, 'When it is revealed.'),
  revealed_at: hidden,
  retracted_at: noRetraction,
  signature: Type.Null({ description: 'Null while sealed: it would confirm guesses.' }),
  canonical_string: hidden,
});
export type SealedEtch = Static<typeof SealedEtch>;

export const RevealedEtch = etchOf('RevealedEtch', 'revealed', {
  mode,
  content: text('The text, byte for byte as sent.'),
  salt: hex32('The salt, chosen by the service.'),
  created_at: doc(Time, "When it was created, by the service's clock."),
  reveal_at: nullable(revealTime, 'When it was due to be revealed; null for an instant etch.'),
  revealed_at: doc(Time, 'When it became public: at `reveal_at`, or at its creation.'),
  retracted_at: noRetraction,
  signature: nullable(ContentSignature, "The author's signature; null if it is not signed."),
  canonical_string: text('The exact string that was hashed.'),
});
export type RevealedEtch = Static<typeof RevealedEtch>;

const erasedEtch = etchOf('RetractedEtch', 'retracted', {
  mode,
  content: erased,
  salt: erased,
  created_at: erased,
  reveal_at: nullable(revealTime, 'When it was due to be revealed; null for an instant etch.'),
  revealed_at: nullable(
    Time,
    'When it became public. Null if it never did, and for an instant etch, because it would reveal the time of creation.',
  ),
  retracted_at: doc(Time, 'When it was retracted.'),
  signature: erased,
  canonical_string: erased,
});

export const RetractedEtch = shape('RetractedEtch', STATUS.retracted, {
  ...erasedEtch.properties,
  retracted_by: Type.Optional(oneOf(['operator'], 'Present only if the operator took the text down.')),
  retraction_reason: Type.Optional(
    oneOf(TAKEDOWN_REASONS, 'Why the operator took the text down; present only with `retracted_by`.'),
  ),
});
export type RetractedEtch = Static<typeof RetractedEtch>;

export const Etch = oneKind(
  'Etch',
  'A text that its author committed to. `status` determines which fields are set. While it is sealed, the text, its salt and the exact time of writing are hidden.',
  'status',
  [SealedEtch, RevealedEtch, RetractedEtch],
);
export type Etch = Static<typeof Etch>;

/** Says what stays of a retracted etch. */
export const STAYS_PUBLIC =
  'The description, the hash, the author, the topic, the day and the times of reveal and retraction stay public permanently. Copies that others made stay too.';

/** Not in the specification (docs/protocol.md#410-promises). */
export const EtchPromise = shape(
  'EtchPromise',
  'A signed promise to anchor this etch by the end of a day and to keep its content, description, topic, mode, reveal time and challenge. Store it: `svc verify --promise` checks whether the service kept it.',
  {
    text: Type.String({
      pattern:
        '^svc-promise:v3\\|[0-9a-f-]{36}\\|[0-9a-f-]{36}\\|[0-9a-f]{64}\\|[0-9]{4}-[0-9]{2}-[0-9]{2}\\|[0-9a-f]{64}\\|[a-z0-9_-]+\\|(instant|delayed)\\|(-|[0-9TZ.:-]{24})\\|(-|[0-9a-f-]{36})\\|[0-9a-f]{64}$',
      description:
        '`svc-promise:v3|<etch id>|<user id>|<hash>|<anchor by>|<sha256 of the description>|<topic>|<mode>|<reveal_at or ->|<challenge id or ->|<words>`; `anchor by` is a UTC day, `words` is `sha256("svc-words:v1|" + nonce + "|" + content)`.',
    }),
    path: Type.Array(hex32('A sibling hash.'), {
      maxItems: MAX_PROMISE_PATH,
      description: 'The hashes that fold `sha256(0x00 || text)` to the signed root, from the leaf up.',
    }),
    public_key: hex32('The Ed25519 key of the service, one of those at `/.well-known/svc.json`.'),
    signature: doc(Hex64, 'Its Ed25519 signature over `svc-promises:v1|<root>`.'),
    nonce: hex32('The nonce and the content prove `words`. No other answer contains the nonce.'),
  },
);
export type EtchPromise = Static<typeof EtchPromise>;

export const EtchNote = Type.Optional(
  text(
    'Present if the content looks like a forecast but is malformed, or does not fit the question. It is only advice: the etch exists, and scores treat its content as plain text.',
  ),
);
