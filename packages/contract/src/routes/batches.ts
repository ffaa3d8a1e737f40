import { Type } from 'typebox';
import { batch, batchDetail, cursorPage } from '../examples/batch.ts';
import { envelope, oneOf, request } from '../fields.ts';
import { Batch, BatchDetail } from '../resources/batch.ts';
import { CursorPage } from '../resources/page.ts';
import { cursorQuery } from './inputs.ts';
import { route } from './route.ts';

export const batchRoutes = {
  listBatches: route({
    operationId: 'listBatches',
    method: 'GET',
    path: '/api/v1/batches',
    summary: 'List anchored trees',
    description: 'Newest first. A third party can recompute every tree.',
    tag: 'Verification',
    auth: 'public',
    query: request(cursorQuery),
    success: {
      status: 200,
      description: 'Anchored trees, of etches and of tombstones.',
      schema: envelope({
        batches: Type.Array(Batch, { description: 'The trees of this page.' }),
        page: CursorPage,
      }),
      example: { batches: [batch], page: cursorPage },
    },
    refusals: { 400: '`limit` or `cursor` is not valid.' },
    extra: true,
  }),
  getBatch: route({
    operationId: 'getBatch',
    method: 'GET',
    path: '/api/v1/batches/{root}',
    summary: 'Read an anchored tree',
    description:
      'Includes the data of its leaves, as bytes if the request accepts `application/vnd.svc.leaves`. A tree of one etch and the tree of its tombstone have the same root; `kind` selects one.',
    tag: 'Verification',
    auth: 'public',
    params: request({ root: Type.String({ description: "The tree's root, 64 hex digits." }) }),
    query: request({
      kind: Type.Optional(oneOf(['0', '1'], '`0` (default): a tree of etches, `1`: of tombstones.')),
    }),
    success: {
      status: 200,
      description: 'The tree.',
      schema: envelope({ batch: BatchDetail }),
      example: { batch: batchDetail },
      headers: ['Cache-Control', 'ETag'],
      forms: {
        'application/vnd.svc.leaves':
          "Only the leaves, in the order of the tree: the author's id (16 bytes) and the hash (32 bytes) of each; in tree version 1 only the hash.",
      },
    },
    refusals: { 400: '`kind` is neither 0 nor 1.', 404: 'There is no anchored tree of this kind and root.' },
    extra: true,
  }),
};
