import { setImmediate } from 'node:timers/promises';
import { createClient } from '@svc/sdk';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { callTool } from '../src/call-tool.ts';
import type { Session } from '../src/session.ts';
import { readingTool } from '../src/tool.ts';

const session = {
  client: createClient({ baseUrl: 'http://127.0.0.1:1' }),
  secrets: [],
  settings: {},
  renew: async () => undefined,
} as unknown as Session;

async function answer(value: Record<string, unknown>) {
  const tool = readingTool({
    name: 'x',
    title: 'x',
    description: 'x',
    input: {},
    output: {},
    withoutTexts: true,
    run: async () => value,
  });
  let turns = 0;
  let done = false;
  const counting = (async () => {
    for (; !done; turns++) await setImmediate();
  })();
  const { content, ...rest } = await callTool(tool, z.object({}), {}, session);
  done = true;
  await counting;
  return { text: (content[0] as { text: string }).text, ...rest, turns };
}

const etches = (count: number) => ({
  etches: Array.from({ length: count }, (_, at) => ({
    id: at,
    content: '\u{e0041}'.repeat(2_000),
    names: ['a\u202eb', null, 'd\n'],
  })),
});

test('yields to other requests while it escapes thirty of the longest texts', async () => {
  const value = etches(30);
  const { text, structuredContent, turns } = await answer(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/[\u202e\u{e0041}]/u);
  const shown = { content: '\\u{e0041}'.repeat(2_000), names: ['a\\u{202e}b', null, 'd\n'] };
  expect(structuredContent).toEqual({ etches: value.etches.map(({ id }) => ({ id, ...shown })) });
  expect(turns).toBeGreaterThan(20);
});

test('rejects an answer above two million characters with the next step', async () => {
  const { text, isError } = await answer(etches(50));
  expect(isError).toBe(true);
  expect(JSON.parse(text)).toEqual({
    error: {
      code: 'bad_input',
      message: 'the answer is longer than 2097152 characters: ask for fewer entries with limit',
    },
  });
});
