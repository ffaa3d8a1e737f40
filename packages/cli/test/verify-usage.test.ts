import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { save } from './support/saved.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

describe('bad usage and unreadable input', () => {
  test.each<[string, string[], number]>([
    ['nothing', [], 64],
    ['no receipt', ['verify'], 64],
    ['an unknown command', ['prove', 'x'], 64],
    ['an unknown option', ['verify', 'x', '--trust-me'], 64],
    ['an endpoint that is no url', ['verify', 'x', '--rpc', 'localhost'], 64],
    ['a relayer that is no address', ['verify', 'x', '--relayer', '0x12'], 64],
    ['a chain id that is none', ['verify', 'x', '--chain-id', '0x1'], 64],
    ['an id offline', ['verify', '11111111-2222-4333-8444-555555555555', '--offline'], 64],
    ['no such file', ['verify', '/nowhere/receipt.json'], 66],
    ['a folder', ['verify', '/'], 66],
    [
      'no service',
      ['verify', '11111111-2222-4333-8444-555555555555', '--base-url', 'http://127.0.0.1:9'],
      69,
    ],
  ])('%s', async (_, args, expected) => {
    const { err } = await ends(svcHere(args), expected, { out: '' });
    expect(err).not.toBe('');
    expect(err).not.toMatch(/^\s+at /m);
  });

  test('rejects a file that is not JSON or not UTF-8', async () => {
    expect(await svcHere(['verify', save('{"_format":')])).toMatchObject({ status: 66, out: '' });
    const path = save('');
    writeFileSync(path, Buffer.from('7b2261223a22ff227d', 'hex'));
    expect(await svcHere(['verify', path])).toMatchObject({ status: 66, out: '' });
  });

  test('the program ends with the same status', async () => {
    for (const [args, status] of [
      [['verify'], 64],
      [['verify', '/nowhere/receipt.json'], 66],
    ] as const)
      expect(await svc([...args])).toEqual({ ...(await svcHere([...args])), status });
  });

  test('fails on JSON that is not a receipt', async () => {
    for (const text of ['null', '[]', '{}', '5'])
      expect(await svcHere(['verify', save(text)])).toMatchObject({ status: 1 });
  });

  test('--help exits with 0 and lists the statuses', async () => {
    await ends(svcHere(['verify', '--help']), 0, { out: 'Exit status' });
  });
});
