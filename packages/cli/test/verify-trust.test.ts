import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { anchorBy, hashDescription, parseCanonicalString, promiseWords } from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { receiptVector, receiptVectors } from '../../../testing/vectors/receipts.ts';
import { promiseKey } from './support/promise-key.ts';
import { usePublished } from './support/published.ts';
import { save } from './support/saved.ts';
import { publish, wellKnown } from './support/service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const reader = usePublished();
const { vector, id } = reader;
const other = `0x${'7'.repeat(40)}`;

const info = '/.well-known/svc.json';

describe('trust', () => {
  const run = (...args: string[]) => svcHere(args, { home: reader.home });
  const verify = (...args: string[]) => run('verify', id, '--base-url', reader.service.origin, ...args);

  test('published by the service passes nothing, and fails a receipt that contradicts it', async () => {
    const { origin, answers } = reader.service;
    await ends(verify(), 2, {
      last: new RegExp(
        `which only the service names: pin the service with \`svc trust ${origin}\` if you know it`,
      ),
    });
    await ends(verify('--json'), 2, {
      json: { result: 'wait', trust: { source: 'service', pinned: false } },
    });
    answers[info] = wellKnown(vector, reader.rpc.url, [other]);
    await ends(verify(), 1);
    expect(existsSync(reader.pinsFile), 'verify writes no pins').toBe(false);
  });

  test('named with --trust passes, and is not stored', async () => {
    await ends(verify('--trust', reader.service.origin, '--json'), 0, {
      json: { result: 'pass', trust: { source: 'trust', pinned: true } },
    });
    expect(existsSync(reader.pinsFile)).toBe(false);
  });

  test('is pinned by svc trust, stays when the service publishes other values later, and the change is shown', async () => {
    const { origin, answers } = reader.service;
    const { trust } = vector;
    await ends(run('trust', origin), 0, { out: trust.relayers[0]! });
    const { name: _, rpc_url: __, ...values } = wellKnown(vector, '').chain;
    expect(JSON.parse(readFileSync(reader.pinsFile, 'utf8'))).toEqual({ [origin]: values });
    expect(statSync(reader.pinsFile).mode & 0o777).toBe(0o600);
    await ends(verify(), 0);

    const forged = receiptVector('invalid/receipt-attested-by-another');
    forged.receipt.etch_id = id;
    const relayer = `0x${Object.values(forged.chain.eth_call)[0]!.slice(2 + 8 * 64 + 24, 2 + 9 * 64)}`;
    forged.receipt.chain.relayer = relayer;
    reader.rpc.state = forged.chain;
    publish(reader.service, forged, reader.rpc.url, origin);
    answers[info] = wellKnown(forged, reader.rpc.url, [relayer]);
    const before = readFileSync(reader.pinsFile, 'utf8');
    await ends(verify('--rpc', reader.rpc.url), 1, {
      out: `relayers: ${trust.relayers[0]} became ${relayer}`,
    });
    await ends(run('trust', origin), 1, { out: '', err: `became ${relayer}` });
    expect(readFileSync(reader.pinsFile, 'utf8')).toBe(before);
    await ends(svcHere(['verify', id, '--base-url', origin]), 2);
    await ends(run('trust', '--forget', origin), 0);
    await ends(run('trust', origin), 0);
    await ends(run('trust'), 0, { out: relayer });
    await ends(verify(), 0);
  });

  test('is not read over plain http except on this machine', async () => {
    const away = `http://0.0.0.0:${reader.service.port}`;
    for (const args of [
      ['trust', away],
      ['verify', id, '--base-url', away, '--trust', away],
    ])
      await ends(run(...args), 64, { out: '', err: 'plain http', where: args.join(' ') });
    expect(existsSync(reader.pinsFile)).toBe(false);
  });

  test('includes the promise keys, and a promise by any other key waits', async () => {
    const [first, second] = [promiseKey(), promiseKey()];
    const publishKey = (key: string) => {
      const facts = wellKnown(vector, reader.rpc.url);
      reader.service.answers[info] = { ...facts, promise: { keys: [key] } };
    };
    const { hash, author, canonical_string } = vector.receipt;
    const { content, createdAt } = parseCanonicalString(canonical_string!)!;
    const day = anchorBy(createdAt.slice(0, 10));
    const nonce = '5'.repeat(64);
    const etch = { id, description: 'Rain', category: { id: 'science' }, mode: 'instant', reveal_at: null };
    reader.service.answers[`/api/v1/etches/${id}`] = { etch: { ...etch, challenge: null } };
    const promised = async (by: ReturnType<typeof promiseKey>, until = day) => {
      const fields = [id, author.user_id, hash, until, hashDescription(etch.description)];
      const words = promiseWords(nonce, content);
      const text = ['svc-promise:v3', ...fields, 'science', 'instant', '-', '-', words].join('|');
      const ran = await verify('--promise', save(by.promise(text, nonce)));
      return `${ran.status} ${/The promise: (\S+)/.exec(ran.out)?.[1]}`;
    };
    publishKey(first.publicKey);
    expect(await promised(first), 'nothing is pinned').toBe('2 unknown-key');
    await run('trust', reader.service.origin);
    expect(JSON.parse(readFileSync(reader.pinsFile, 'utf8'))[reader.service.origin].promise_keys).toEqual([
      first.publicKey,
    ]);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(first, '2099-01-01')).toBe('1 misdated');
    publishKey(second.publicKey);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(second)).toBe('2 unknown-key');
  });

  test('a wrong day in the file of a promise does not decide against the service', async () => {
    const key = promiseKey();
    const sealed = receiptVector('valid/receipt-sealed');
    reader.rpc.state = sealed.chain;
    const receipt = publish(reader.service, sealed, reader.rpc.url);
    const { etch_id, hash, author, chain } = receipt;
    const created_on = new Date(Date.parse(chain.anchored_at!) - 3_600_000).toISOString().slice(0, 10);
    const shown = {
      id: etch_id,
      description: 'Rain',
      category: { id: 'science' },
      mode: 'instant',
      created_on,
    };
    const show = (more: object) =>
      (reader.service.answers[`/api/v1/etches/${etch_id}`] = {
        etch: { ...shown, reveal_at: null, challenge: null, ...more },
      });
    show({});
    reader.pin({ promise_keys: [key.publicKey] });
    const fields = [etch_id, author.user_id, hash, anchorBy(created_on), hashDescription('Rain')];
    const text = ['svc-promise:v3', ...fields, 'science', 'instant', '-', '-', 'f'.repeat(64)].join('|');
    const file = save({ promise: key.promise(text), etch: { created_on: '2020-01-01' } });
    const judged = async (...args: string[]) => {
      const ran = await run('verify', ...args, '--promise', file);
      return `${ran.status} ${/The promise: (\S+)/.exec(ran.out)?.[1]}`;
    };
    const atOrigin = [etch_id, '--base-url', reader.service.origin];
    expect(await judged(...atOrigin)).toBe('0 kept');
    expect(await judged(save(receipt), '--rpc', reader.rpc.url)).toBe('2 elsewhere');
    show({ created_on: '2020-01-01' });
    expect(await judged(...atOrigin)).toBe('1 misdated');
    show({ created_on: ['2020-01-01'] });
    expect(await judged(...atOrigin)).toBe('0 kept');
  });

  test('pinned applies to a file of that service too, and a flag overrides it', async () => {
    reader.pin();
    const receipt = publish(reader.service, vector, reader.rpc.url);
    const judge = (chain: object, ...more: string[]) =>
      run(
        'verify',
        save({ ...receipt, chain: { ...receipt.chain, ...chain } }),
        '--rpc',
        reader.rpc.url,
        ...more,
      );
    await ends(judge({ relayer: other }), 1);
    await ends(judge({}), 0, { without: 'comes from the receipt' });
    await ends(judge({}, '--relayer', other), 1);
  });

  test('that is damaged is not replaced silently', async () => {
    for (const text of ['{', 'null', JSON.stringify({ [reader.service.origin]: { relayers: [] } })]) {
      reader.pin();
      writeFileSync(reader.pinsFile, text);
      for (const ran of [verify(), run('trust', reader.service.origin)]) {
        await ends(ran, 64, { err: reader.pinsFile });
        expect(readFileSync(reader.pinsFile, 'utf8')).toBe(text);
      }
    }
  });

  test('names the pinned service as the source of an account’s key', async () => {
    const signed = receiptVectors().find(
      ([, one]) => one.receipt.signature !== null && one.expect.overall === 'pass',
    )![1];
    reader.rpc.state = signed.chain;
    const receipt = publish(reader.service, signed, reader.rpc.url);
    const { name: _, rpc_url: __, ...values } = wellKnown(signed, reader.rpc.url).chain;
    reader.pin(values);
    const { user_id, username } = receipt.author;
    const judged = async (public_key: string) => {
      reader.service.answers[`/api/v1/users/${username}/etches?limit=1`] = {
        user: { user_id, public_key },
        etches: [],
      };
      const { status, out } = await run('verify', receipt.etch_id, '--base-url', reader.service.origin);
      return [status, /The author: (\S+)\n +(.*)/.exec(out)?.slice(1)];
    };
    expect(await judged(receipt.signature!.public_key)).toEqual([
      0,
      [
        'signed',
        `The words are signed by the key that ${reader.service.origin} lists for the account, which is not proven.`,
      ],
    ]);
    expect(await judged('a'.repeat(64))).toMatchObject([1, ['other-key', expect.any(String) as string]]);
  });
});
