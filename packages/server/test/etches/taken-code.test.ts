import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { findFreeCodes } from '../../src/acts/create-store.ts';
import { createEtchCreator } from '../../src/acts/create.ts';
import type { Db } from '../../src/db/db.ts';
import { createPromises } from '../../src/etches/promise.ts';
import { createEtchReader } from '../../src/etches/store.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { createTogether } from './support.ts';

const service = useService();

describe('a taken code', () => {
  test('makes the whole batch retry once, in one transaction, with free codes', async () => {
    const ada = await service.registerAgent();
    const [made] = await createTogether(service, ada, ['one']);
    const taken = made!.body.etch.code;
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const free = texts.map((_, index) => `free${String(index).padStart(2, '0')}`);
    const drawn = [...free.with(7, taken), taken, ...free];
    let transactions = 0;
    const counting: Db = {
      ...service.db,
      tx: (work, options) => {
        transactions++;
        return service.db.tx(work, options);
      },
    };
    const { clock, keyring, config } = service;
    const creator = createEtchCreator(
      {
        db: counting,
        clock,
        keyring,
        limits: config.limits,
        reader: createEtchReader(service.db),
        promises: createPromises(keyring),
      },
      () => drawn.shift()!,
    );
    // Calls of one tick form one batch.
    const answers = await Promise.all(
      texts.map((content) =>
        creator.create(callerOf(ada.userId), { content, category_id: 'science', mode: 'instant' }),
      ),
    );
    expect(answers.map(({ etch }) => etch.content)).toEqual(texts);
    expect(answers.map(({ etch }) => etch.code).toSorted()).toEqual(free);
    expect(drawn).toEqual([]);
    expect(transactions).toBe(2);
    const written = await service.db.column<string>(
      sql`select distinct xmin::text from etch where content like 'text %'`,
    );
    expect(written).toHaveLength(1);
  });

  test('is drawn again until enough different codes are free', async () => {
    const ada = await service.registerAgent();
    const [made] = await createTogether(service, ada, ['taken']);
    const drawn = [made!.body.etch.code, 'aaaaaa', 'aaaaaa', 'bbbbbb', made!.body.etch.code, 'cccccc'];
    const codes = await service.db.tx((tx) => findFreeCodes(tx, 3, () => drawn.shift()!));
    expect(codes.toSorted()).toEqual(['aaaaaa', 'bbbbbb', 'cccccc']);
    expect(drawn).toEqual([]);
  });
});

function callerOf(userId: string): Caller {
  const standing = {
    kind: 'agent',
    agent_domain: null,
    operator_id: null,
    social_verified_at: null,
  } as const;
  return {
    userId,
    kind: 'agent',
    assurance: 'keypair',
    verified: false,
    publicKey: null,
    author: { ...standing, username: 'ada', display_name: 'Ada', social_handle: null },
    suspendedFor: null,
    credential: { type: 'session' },
  };
}
