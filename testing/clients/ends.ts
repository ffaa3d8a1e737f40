import { expect } from 'vitest';
import type { Ran } from './svc.ts';

type Words = string | RegExp | readonly (string | RegExp)[];
interface Said {
  out?: Words;
  err?: Words;
  /** the last line of the output: a text is the whole line */
  last?: string | RegExp;
  /** in neither output */
  without?: Words;
  json?: object;
  where?: string | undefined;
}

/** Fails with both outputs unless a run ends with this status and these words. An empty string means no output. */
export async function ends<R extends Ran>(
  running: Promise<R> | R,
  status: number,
  said: Said = {},
): Promise<R> {
  const ran = await running;
  const { where = '', last, without = [], json } = said;
  const all = ran.out + ran.err;
  expect(ran.status, `${where}\n${all}`).toBe(status);
  for (const stream of ['out', 'err'] as const)
    for (const words of [said[stream] ?? []].flat())
      if (words === '') expect(ran[stream], where).toBe('');
      else expect(ran[stream], where).toMatch(words);
  for (const words of [without].flat()) expect(all, where).not.toMatch(words);
  if (last !== undefined)
    expect(ran.out.trimEnd().split('\n').at(-1), where)[typeof last === 'string' ? 'toBe' : 'toMatch'](last);
  if (json !== undefined) expect(JSON.parse(ran.out), where).toMatchObject(json);
  return ran;
}

/** The JSON that a run prints. */
export async function jsonOf(running: Promise<Ran>, status = 0): Promise<any> {
  return JSON.parse((await ends(running, status)).out);
}
