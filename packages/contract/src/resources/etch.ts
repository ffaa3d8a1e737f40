import { Type, type Static } from 'typebox';
import { Code, Day, Hex32, Hex64, hex32, Time, Url, Uuid, nullable, oneOf, shape } from '../fields.ts';
import { Category } from '../topics.ts';
import { Author } from './author.ts';
import { Chain } from './chain.ts';

export const ETCH_STATUSES = ['sealed', 'revealed', 'retracted'] as const;
export type EtchStatus = (typeof ETCH_STATUSES)[number];

export const ETCH_MODES = ['instant', 'delayed'] as const;
export type EtchMode = (typeof ETCH_MODES)[number];

export const EtchChallenge = shape(
  'EtchChallenge',
  { id: Uuid, question: Type.String(), url: Url },
  'The challenge an etch belongs to.',
);
export type EtchChallenge = Static<typeof EtchChallenge>;

export const ContentSignature = shape(
  'ContentSignature',
  { value: Hex64, public_key: Hex32 },
  "The author's Ed25519 signature over `svc-sig:v1|<user_id>|<sha256(content)>`.",
);
export type ContentSignature = Static<typeof ContentSignature>;

export const EtchStatusField = oneOf(ETCH_STATUSES);

export const Etch = shape(
  'Etch',
  {
    id: Uuid,
    status: EtchStatusField,
    mode: oneOf(ETCH_MODES),
    hash: hex32('SHA-256 of the canonical string; always public.'),
    description: Type.String({ maxLength: 140 }),
    content: nullable(Type.String({ description: 'Null while sealed and for ever after retraction.' })),
    salt: nullable(Hex32),
    created_at: nullable(Time),
    created_on: Day,
    reveal_at: nullable(Time),
    revealed_at: nullable(Time),
    retracted_at: nullable(Time),
    author: Author,
    category: Category,
    challenge: nullable(EtchChallenge),
    chain: Chain,
    signature: nullable(ContentSignature),
    canonical_string: nullable(Type.String({ description: 'Exactly what was hashed.' })),
    code: Code,
    url: Url,
    short_url: Url,
    verify_url: Url,
  },
  'A text its author committed to. While sealed only the public index shows: hash, description, topic, day.',
);
export type Etch = Static<typeof Etch>;

/**
 * Beside a created etch, beyond the specification: what the service promises of it
 * (docs/protocol.md#10-promises).
 */
export const EtchPromise = shape(
  'EtchPromise',
  {
    text: Type.String({
      pattern: '^svc-promise:v1\\|[0-9a-f-]{36}\\|[0-9a-f-]{36}\\|[0-9a-f]{64}\\|[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: '`svc-promise:v1|<etch id>|<user id>|<hash>|<anchor by>`; the last is a UTC day.',
    }),
    public_key: hex32('The Ed25519 key of the service, one of those at `/.well-known/svc.json`.'),
    signature: Hex64,
  },
  'A signed promise that this etch is anchored by the end of a day. Keep it: `svc verify --promise` shows whether it was kept.',
);
export type EtchPromise = Static<typeof EtchPromise>;

/** The same of what stands beside the words too: what is not in the hash. */
export const EtchPromiseV2 = shape(
  'EtchPromiseV2',
  {
    text: Type.String({
      pattern:
        '^svc-promise:v2\\|[0-9a-f-]{36}\\|[0-9a-f-]{36}\\|[0-9a-f]{64}\\|[0-9]{4}-[0-9]{2}-[0-9]{2}\\|[0-9a-f]{64}\\|[a-z0-9_-]+\\|(instant|delayed)\\|(-|[0-9TZ.:-]{24})\\|(-|[0-9a-f-]{36})$',
      description:
        '`svc-promise:v2|<etch id>|<user id>|<hash>|<anchor by>|<sha256 of the description>|<topic>|<mode>|<reveal_at or ->|<challenge id or ->`.',
    }),
    public_key: hex32('The same key as that of `promise`.'),
    signature: Hex64,
  },
  'A signed promise that this etch is anchored by the end of a day, and keeps its description, topic, mode, reveal time and challenge.',
);
export type EtchPromiseV2 = Static<typeof EtchPromiseV2>;
