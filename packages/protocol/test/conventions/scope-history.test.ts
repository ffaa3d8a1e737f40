import { followScope, parseScope } from '@svc/protocol/conventions';
import { expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';

interface History {
  name: string;
  declared: string;
  later: string[];
  state: string;
  by: number | null;
}

test.each(readVector('valid/conventions-scopes').histories as History[])(
  '$name',
  ({ declared, later, state, by }) => {
    const dated = (content: string, at: number) => ({
      etch: `etch ${at}`,
      anchored_at: null,
      words: parseScope(content),
    });
    const found = followScope(dated(declared, -1), later.map(dated));
    expect(found.state).toBe(state);
    expect(found.by?.etch ?? null).toBe(by === null ? null : `etch ${by}`);
    expect(found.detail === null).toBe(state !== 'broken');
  },
);
