import { describe, expect, test } from 'vitest';
import { isOpeningSigned, OPENING_NOTE, parseOpening, TimelockError } from '@svc/protocol/timelock';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { rounds } from '../../../../testing/rounds.ts';
import { seeded } from '../../../../testing/seeded.ts';
import { signedOpening } from './signed-opening.ts';

const opening = signedOpening();

const read = (value: unknown) => {
  try {
    const found = parseOpening(value);
    return isOpeningSigned(found) ? found : null;
  } catch (error) {
    if (error instanceof TimelockError) return null;
    throw error;
  }
};

describe('an opening', () => {
  test('is parsed unchanged', () => {
    expect(read(structuredClone(opening))).toEqual(opening);
  });

  test.each([
    ['a field more', { ...opening, more: 1 }],
    ['another format', { ...opening, _format: 'svc-opening:v2' }],
    ['another note', { ...opening, _what_this_is: `${OPENING_NOTE}.` }],
    ['an id in upper case', { ...opening, etch_id: opening.etch_id.toUpperCase() }],
    ['a round that is none', { ...opening, round: 0 }],
    ['a round as text', { ...opening, round: '7' }],
    ['another round', { ...opening, round: 8 }],
    ['no signature', { ...opening, signature: undefined }],
    ['another key', { ...opening, public_key: newAgentKeys().publicKey }],
    ['no object', [opening]],
    ['nothing', null],
  ])('with %s is rejected', (_, value) => {
    expect(read(value)).toBeNull();
  });

  test('is rejected after each of a thousand flipped bytes', () => {
    const file = Buffer.from(JSON.stringify(opening));
    const dice = seeded(12_345);
    for (let flip = 0; flip < rounds(1_000, 100_000); flip++) {
      const changed = Buffer.from(file);
      const at = dice.below(file.length);
      changed[at]! ^= 1 + dice.below(255);
      let value: unknown;
      try {
        value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(changed));
      } catch {
        continue;
      }
      expect(read(value), `byte ${at}`).toBeNull();
    }
  });
});
