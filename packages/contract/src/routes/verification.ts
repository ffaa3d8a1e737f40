import { Type } from 'typebox';
import { batch, batchDetail, cursorPage } from '../examples/batch.ts';
import { beacon, evidence, opening, receipt, verification } from '../examples/verification.ts';
import { envelope, listOf, oneOf, request, text } from '../fields.ts';
import { Batch, BatchDetail } from '../resources/chain.ts';
import { EvidenceFile } from '../resources/evidence.ts';
import { Beacon, OpeningFile } from '../resources/opening.ts';
import { CursorPage } from '../resources/page.ts';
import { Receipt } from '../resources/receipt.ts';
import { Verification } from '../resources/verification.ts';
import { beaconParams, cursorQuery, idParams } from './inputs.ts';
import { GET, ok, REVALIDATED, routes } from './route.ts';

export const verificationRoutes = routes('Verification', {
  getReceipt: GET('/etches/{id}/receipt', 'public', "Download an etch's receipt", {
    description:
      'Everything that is needed to check the etch without this service. While the etch is pending, its anchoring fields are null.',
    params: idParams('etch'),
    success: ok('The receipt.', Receipt, receipt, ...REVALIDATED),
    refusals: { 404: 'There is no such etch.' },
  }),
  getEvidence: GET('/etches/{id}/evidence', 'public', "Download an etch's evidence", {
    description:
      'The receipt with proofs of its attestations. To check them, a reader needs only the hash of the block, not a node. A proof that is missing or cannot be made is null; `wait` gives the reason.',
    params: idParams('etch'),
    success: ok('The evidence.', EvidenceFile, evidence, ...REVALIDATED),
    refusals: {
      404: 'There is no such etch.',
      429: "The address's chain reads or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  getOpening: GET('/etches/{id}/opening', 'write', "Download a sealed etch's opening", {
    description:
      'Only for the author: the canonical string, encrypted to the first round of a drand chain at or after the reveal time, and signed. From that round on, anyone who has the file can open it without this service, even after a retraction, so protect it like the text. Before that round, nobody can test it, not even the author; if it then contains something else, its signature proves it. The service makes it anew for each request and does not store it.',
    params: idParams('etch'),
    success: ok('The opening.', OpeningFile, opening, 'Cache-Control'),
    refusals: {
      403: 'The etch is not yours, or the key has scope read.',
      404: 'There is no such etch.',
      422: 'The etch is revealed or retracted, or this service makes no openings.',
      429: "The account's openings for this hour or the key's requests for this minute are used up.",
    },
    extra: true,
  }),
  getBeacon: GET('/beacons/{chain}/{round}', 'public', 'Read the signature of a due round', {
    description:
      "The signature of a round, which opens a blind seal or an opening. The service fetches it from the drand network and checks it with the chain's public key. It returns only rounds of its pinned chain that are due. Any relay of the network returns the same signature.",
    params: beaconParams,
    success: ok('The round. It never changes.', Beacon, beacon, 'Cache-Control'),
    refusals: {
      404: 'The chain is not the one that this service pins, or there is no such round.',
      422: 'The round is not due, or this service has no relay.',
      429: "The address's chain reads or the key's requests for this minute are used up.",
      503: 'No relay has the round yet, or the service is busy; try again.',
    },
    extra: true,
  }),
  verifyEtch: GET('/verify/{id}', 'public', 'Verify an etch against the chain', {
    mark: 'checks',
    description:
      'Recomputes the hash of the canonical string, folds the stored proof and reads the attestation from the chain. If the chain cannot be read, the verdict is `wait`, never `fail`.',
    params: idParams('etch'),
    success: ok('The checks and their results.', Verification, verification, ...REVALIDATED),
    refusals: { 404: 'There is no such etch.' },
  }),
  listBatches: GET('/batches', 'public', 'List anchored trees', {
    description: 'Newest first. A third party can recompute every tree.',
    query: request(cursorQuery),
    success: ok(
      'Anchored trees, of etches and of tombstones.',
      envelope({
        batches: listOf(Batch, 'The trees of this page.'),
        page: CursorPage,
      }),
      { batches: [batch], page: cursorPage },
    ),
    refusals: { 400: '`limit` or `cursor` is not valid.' },
    extra: true,
  }),
  getBatch: GET('/batches/{root}', 'public', 'Read an anchored tree', {
    description:
      'Includes the data of its leaves, as bytes if the request accepts `application/vnd.svc.leaves`. A tree of one etch and the tree of its tombstone have the same root; `kind` selects one.',
    params: request({ root: text("The tree's root, 64 hex digits.") }),
    query: request({
      kind: Type.Optional(oneOf(['0', '1'], '`0` (default): a tree of etches, `1`: of tombstones.')),
    }),
    success: {
      ...ok('The tree.', envelope({ batch: BatchDetail }), { batch: batchDetail }, ...REVALIDATED),
      forms: {
        'application/vnd.svc.leaves':
          "Only the leaves, in the order of the tree: the author's id (16 bytes) and the hash (32 bytes) of each; in tree version 1 only the hash.",
      },
    },
    refusals: { 400: '`kind` is neither 0 nor 1.', 404: 'There is no anchored tree of this kind and root.' },
    extra: true,
  }),
});
