import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { findFreeCodes } from '../../src/acts/create-store.ts';
import { createEtchCreator } from '../../src/acts/create.ts';
import type { Db } from '../../src/db/db.ts';
import { createPromises } from '../../src/etches/promise.ts';
import { createEtchReader } from '../../src/etches/read.ts';
import type { Caller } from '../../src/identity/caller.ts';
import { createTogether } from './support.ts';

const service = useService();

describe('a taken code', () => {
  test('makes the whole batch retry in one transaction', async () => {
    const ada = await service.registerAgent();
    await createTogether(service, ada, []);
    // A trigger gives one etch of the batch a taken code, which is rare without millions of etches.
    await service.db.query(raw('create sequence drawn'));
    await service.db.query(
      raw(`create function draw_taken() returns trigger language plpgsql as $$
      begin
        if nextval('drawn') = 1 then new.code := (select code from etch limit 1); end if;
        return new;
      end $$`),
    );
    await service.db.query(
      raw(`create trigger drawn before insert on etch
      for each row when (new.content = 'text 7') execute function draw_taken()`),
    );
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const answers = await createTogether(service, ada, texts);
    for (const made of ['trigger drawn on etch', 'function draw_taken', 'sequence drawn'])
      await service.db.query(raw(`drop ${made}`));
    expect(answers.map(({ body }) => body.etch.content)).toEqual(texts);
    const [written] = await service.db.query<{ transactions: number; codes: number }>(sql`
      select count(distinct xmin::text)::int as transactions, count(distinct code)::int as codes
      from etch where content like 'text %'`);
    expect(written).toEqual({ transactions: 1, codes: 40 });
  });

  test('needs only one retry, which draws free codes', async () => {
    const ada = await service.registerAgent();
    const made = await createTogether(service, ada, ['one', 'two']);
    const drawn = [...made.map(({ body }) => body.etch.code), made[0]!.body.etch.code, 'dddddd'];
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
    const request = { content: 'mine', category_id: 'science', mode: 'instant' } as const;
    const { etch } = await creator.create(callerOf(ada.userId), request);
    expect(etch.code).toBe('dddddd');
    expect(drawn).toEqual([]);
    expect(transactions).toBe(2);
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
