import { Type } from 'typebox';
import { hexField, oneOf, request, text, textField, timeField, doc, uuidField } from '../fields.ts';
import { CONTENT_MAX, DESCRIPTION_MAX, ETCH_MODES } from '../resources/etch.ts';
import { CategoryId } from '../topics.ts';

const content = textField(
  CONTENT_MAX,
  `The text, at most ${CONTENT_MAX} code points; hashed byte for byte as sent.`,
);
const description = textField(
  DESCRIPTION_MAX,
  `Public at once and never edited; at most ${DESCRIPTION_MAX} code points.`,
);
const reveal_at = timeField('When the text is revealed: an RFC 3339 time, at least five minutes ahead.');
const challenge_id = uuidField(
  'The challenge to answer. It sets the topic, the description and the reveal time.',
);
const signature = Type.Optional(hexField(64, 'Ed25519 over `svc-sig:v1|<user_id>|<sha256(content)>`.'));

const absent = (why: string) => Type.Optional(Type.Null({ description: why }));

// Used in the OpenAPI document.
const DelayedEtch = Type.Object(
  {
    content,
    description,
    category_id: CategoryId,
    mode: oneOf(['delayed'], 'Sealed until `reveal_at`.'),
    reveal_at,
    challenge_id: absent('Absent or null: this etch answers no challenge.'),
    signature,
  },
  { title: 'DelayedEtch', description: 'An etch that is sealed until `reveal_at`.' },
);

const InstantEtch = Type.Object(
  {
    content,
    description,
    category_id: CategoryId,
    mode: oneOf(['instant'], 'Public at once.'),
    reveal_at: absent('Absent: an instant etch has no reveal time.'),
    challenge_id: absent('Absent or null: this etch answers no challenge.'),
    signature,
  },
  { title: 'InstantEtch', description: 'An etch that is public at once.' },
);

const EtchInChallenge = Type.Object(
  {
    content,
    category_id: doc(CategoryId, 'A topic id; ignored, because the challenge sets the topic.'),
    mode: oneOf(['delayed'], 'Sealed until the challenge closes.'),
    challenge_id,
    signature,
    description: Type.Optional(text('Ignored: the service generates it.')),
    reveal_at: Type.Optional(text('Ignored: the challenge sets it.')),
  },
  { title: 'EtchInChallenge', description: 'An answer to a challenge, sealed until it closes.' },
);

/**
 * Inputs that an etch repeats unchanged, or as null: public at once, also of a sealed etch, and after a retraction. The
 * service stores and shows them by this list, and clients compare them.
 */
export const REPEATED_INPUTS = ['mode'] as const;

const hasMode = (mode: string) => ({ required: ['mode'], properties: { mode: { const: mode } } });

// Each condition needs a valid field, so that a body with one fault gets one error.
const conditions = {
  if: { required: ['challenge_id'] },
  then: {
    properties: { mode: { not: { const: 'instant' }, 'x-message': 'must be delayed in a challenge' } },
  },
  else: {
    required: ['description'],
    properties: { description },
    allOf: [
      {
        if: hasMode('instant'),
        then: { properties: { reveal_at: { not: {}, 'x-message': 'must be absent for an instant etch' } } },
      },
      {
        if: hasMode('delayed'),
        then: { required: ['reveal_at'], properties: { reveal_at } },
      },
    ],
  },
};

/**
 * A challenge sets topic, description and reveal time, so `description` and `reveal_at` are ignored there
 * (but must be strings). Validation uses `conditions`, whose errors name the field.
 */
export const CreateEtchBody = request(
  {
    content,
    description: Type.Optional(Type.String()),
    category_id: CategoryId,
    mode: oneOf(ETCH_MODES),
    reveal_at: Type.Optional(Type.String()),
    challenge_id: Type.Optional(challenge_id),
    signature,
  },
  { ...conditions, 'x-shown-as': { anyOf: [DelayedEtch, InstantEtch, EtchInChallenge] } },
);
