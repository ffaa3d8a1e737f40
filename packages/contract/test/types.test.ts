import { CreateEtchBody, type ROUTES } from '@svc/contract';
import type { BodyOf, Etch, Event, OperationId, Operations } from '@svc/contract/types';
import type { Static, TSchema } from 'typebox';
import { expect, it } from 'vitest';
import { serverAjv } from './support/validator.ts';

type Answered = {
  [Id in OperationId]: (typeof ROUTES)[Id]['success'] extends { readonly schema: infer S extends TSchema }
    ? Static<S>
    : never;
};
type Written = { [Id in OperationId]: Operations[Id]['answer'] };

it('has types that accept the same values, narrowed by their discriminators', () => {
  // The compiler checks that each is assignable to the other.
  const written = (answered: Answered): Written => answered;
  const answered = (answers: Written): Answered => answers;
  const shown = (etch: Etch): string => {
    if (etch.status === 'sealed') return etch.reveal_at satisfies string;
    if (etch.status === 'retracted') return etch.retracted_at satisfies string;
    return etch.content satisfies string;
  };
  // @ts-expect-error a sealed etch has no text
  const opened = (etch: Extract<Etch, { status: 'sealed' }>): string => etch.content;
  const happened = (event: Event): string =>
    'challenge' in event.data ? event.data.challenge.question : event.data.etch.hash;
  expect([written, answered, shown, opened, happened]).toHaveLength(5);
});

const common = { content: 'It will rain.', description: 'The weather', category_id: 'personal' } as const;
const time = '2030-01-01T00:00:00Z';
const id = '3f9b2a64-7c1d-4b85-a0e3-6d2c91f7584b';
type Body = BodyOf<'createEtch'>;

it('does not compile bodies of etches that the service rejects', () => {
  const taken: Body[] = [
    { ...common, mode: 'instant' },
    { ...common, mode: 'delayed', reveal_at: time },
    { content: '12', category_id: 'science', mode: 'delayed', challenge_id: id },
  ];
  const refused: Body[] = [
    // @ts-expect-error an instant etch has no reveal time
    { ...common, mode: 'instant', reveal_at: time },
    // @ts-expect-error a delayed one needs its own
    { ...common, mode: 'delayed' },
    // @ts-expect-error an answer to a challenge is never public at once
    { ...common, mode: 'instant', challenge_id: id },
    // @ts-expect-error outside challenges it is described
    { content: '12', category_id: 'science', mode: 'instant' },
    // @ts-expect-error topics are a closed set
    { ...common, category_id: 'weather', mode: 'instant' },
  ];
  const valid = serverAjv().compile(CreateEtchBody);
  expect(taken.map((body) => valid(body))).toEqual(taken.map(() => true));
  expect(refused.map((body) => valid(body))).toEqual(refused.map(() => false));
});
