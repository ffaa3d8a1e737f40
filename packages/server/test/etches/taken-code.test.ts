import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { findFreeCodes } from '../../src/acts/create-store.ts';
import type { Db } from '../../src/db/db.ts';
import { creatorOf } from './support.ts';

const service = useService();

describe('a taken code', () => {
  test('makes the whole batch retry once, in one transaction, with free codes', async () => {
    const ada = await service.registerAgent();
    const { code: taken } = await service.etch(ada);
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const free = texts.map((_, index) => `free${String(index).padStart(2, '0')}`);
    const drawn = [...free.with(7, taken), taken, ...free];
    let transactions = 0;
    const through: Db = {
      ...service.db,
      tx: (work, options) => {
        transactions++;
        return service.db.tx(work, options);
      },
    };
    const create = creatorOf(service, ada, { through, draw: () => drawn.shift()! });
    const answers = await Promise.all(texts.map((content) => create(content)));
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
    const { code: taken } = await service.etch(await service.registerAgent());
    const drawn = [taken, 'aaaaaa', 'aaaaaa', 'bbbbbb', taken, 'cccccc'];
    const codes = await service.db.tx((tx) => findFreeCodes(tx, 3, () => drawn.shift()!));
    expect(codes.toSorted()).toEqual(['aaaaaa', 'bbbbbb', 'cccccc']);
    expect(drawn).toEqual([]);
  });
});
