import { etchAnswer, retractedEtch, sealedEtch, sealedPromise } from '../examples/etch.ts';
import { envelope, hexField, nullable, request } from '../fields.ts';
import { Etch, EtchNote, EtchPromise, RetractedEtch } from '../resources/etch.ts';
import { CreateEtchBody } from './create-etch-body.ts';
import { IdempotencyHeaders, idParams } from './inputs.ts';
import { REVALIDATED, created, GET, ok, POST, routes } from './route.ts';

const EtchAnswer = envelope({ etch: Etch });

const PROMISE =
  "The service's signed promise about the etch; null only on a replay after a retraction, because the content is erased.";

export const etchRoutes = routes('Etches', {
  createEtch: POST('/etches', 'write', 'Create an etch', {
    description:
      'Commits to a text. The service sets the time and the salt, computes the hash and anchors it. Uses one of the daily allowance; a replay uses none.',
    headers: IdempotencyHeaders,
    body: CreateEtchBody,
    bodyExample: {
      content: 'The lighthouse will be lit again before the first snow.',
      description: 'A guess about the lighthouse',
      category_id: 'personal',
      mode: 'delayed',
      reveal_at: '2026-03-01T12:00:00Z',
    },
    success: created(
      'The etch and its promise; on a replay, the original record as it is now and a promise with a new nonce.',
      envelope({ etch: Etch, promise: nullable(EtchPromise, PROMISE), note: EtchNote }),
      { etch: sealedEtch, promise: sealedPromise },
      'Idempotent-Replay',
    ),
    refusals: {
      400: 'The body is not valid, the topic is unknown, the reveal time is too soon, the challenge is closed, or the signature does not verify.',
      404: 'There is no such challenge.',
      409: 'The account has already answered this challenge, or the idempotency key was used for a different request.',
      429: "The daily allowance or the key's requests for this minute are used up.",
    },
  }),
  findEtchByHash: GET('/etches', 'public', 'Find an etch by its hash', {
    description: 'Answers the etch that has this hash, in any state.',
    query: request({ hash: hexField(32, "The etch's hash.") }),
    success: ok('The etch.', EtchAnswer, etchAnswer, ...REVALIDATED),
    refusals: { 400: '`hash` is missing or is not 64 hex digits.', 404: 'No etch has this hash.' },
    extra: true,
  }),
  getEtch: GET('/etches/{id}', 'public', 'Read an etch', {
    description: 'Sealed and erased fields are null, for the author too.',
    params: idParams('etch'),
    success: ok('The etch.', EtchAnswer, etchAnswer, ...REVALIDATED),
    refusals: { 404: 'There is no such etch.' },
  }),
  revealEtch: POST('/etches/{id}/reveal', 'write', 'Store a due reveal', {
    repeatable: true,
    description:
      'An etch is shown as revealed from its reveal time on; this call only stores the new state at once. It cannot reveal an etch early.',
    whileSuspended: true,
    params: idParams('etch'),
    success: ok('The revealed etch.', EtchAnswer, etchAnswer),
    refusals: {
      403: 'The etch is not yours, or the key has scope read.',
      404: 'There is no such etch.',
      422: 'The etch is still sealed, or has been retracted.',
    },
  }),
  retractEtch: POST('/etches/{id}/retract', 'write', 'Retract an etch', {
    // A client treats the 422 of a second retraction as success.
    repeatable: true,
    description:
      'Erases the text, the salt and the signature and leaves a public tombstone, which is anchored too. This cannot be undone.',
    whileSuspended: true,
    params: idParams('etch'),
    success: ok('The tombstone.', envelope({ etch: RetractedEtch }), { etch: retractedEtch }),
    refusals: {
      403: 'The etch is not yours, or the key has scope read.',
      404: 'There is no such etch.',
      422: 'The etch has already been retracted.',
    },
  }),
});
