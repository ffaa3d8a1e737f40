import type { Etch } from '@svc/contract';
import { splitInvisible } from './safe-text.ts';
import { splitCanonical, type Tryable } from './try-words.ts';

export interface TryExample {
  words: string;
  tryable: Tryable;
  etch?: Etch;
}

const LONGEST = 280;

/**
 * `vectors/valid/receipt-instant.json`, shown if no etch of the service is suitable. A test compares it with the
 * file.
 */
const VECTOR: TryExample = {
  words: 'It will rain on Sunday.',
  tryable: {
    before:
      'svc:v1|ae00cff5-55bb-4bd1-ab78-d6c62dc80658|2026-05-06T07:08:09.123Z|716a13924ab08fd86ed725e8b886c1da5ab833744df2109e4202ebf031e4f50a|',
    userId: 'ae00cff5-55bb-4bd1-ab78-d6c62dc80658',
    hash: '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f',
    version: 2,
    proof: [
      'eca7a5dc369389c1fae966ca4afcfaf7cc1df0730de4cbccfc95264773755016',
      'a57c8e2b5eec454e4c095ffc8ffe99a56729c8d9272b356828a8e9fe821639d0',
      '3aeb9af824352b0a113cc2441d1497d3f6f6d2e94690e710b2067f9d9054cde3',
    ],
    root: '9c35429140831269710702596072adbd6ebb8cc18c8f134e76f6a5b578a87bfd',
  },
};

export function chooseExample(etches: readonly Etch[]): TryExample {
  for (const etch of etches) {
    const example = exampleOf(etch);
    if (example) return example;
  }
  return VECTOR;
}

/** Only one line without invisible characters, which a field would lose or distort. */
function exampleOf(etch: Etch): TryExample | null {
  const { status, canonical_string: canonical, chain } = etch;
  const { root, proof, tree_version: version } = chain;
  if (status !== 'revealed' || chain.status !== 'anchored' || root === null || proof === null) return null;
  const parts = canonical === null ? null : splitCanonical(canonical);
  if (parts === null || (version !== 1 && version !== 2)) return null;
  const { before, userId, words } = parts;
  if ([...words].length > LONGEST || /[\r\n\t]|^svc-/.test(words)) return null;
  if (splitInvisible(words).some(({ invisible }) => invisible)) return null;
  return { words, tryable: { before, userId, hash: etch.hash, version, proof, root }, etch };
}
