import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorBy, hashDescription, parseCanonicalString, promiseWords } from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { receiptVector, receiptVectors } from '../../../testing/vectors/receipts.ts';
import { promiseKey } from './support/promise-key.ts';
import { usePublished } from './support/published.ts';
import { publish, wellKnown } from './support/service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const reader = usePublished();
const { vector, id } = reader;
const other = `0x${'7'.repeat(40)}`;

describe('trust', () => {
  const verify = (args: string[] = []) =>
    svcHere(['verify', id, '--base-url', reader.service.origin, ...args], { home: reader.home });
  const lastLine = ({ out }: { out: string }) => out.trimEnd().split('\n').at(-1);

  test('published by the service passes nothing, and fails a receipt that contradicts it', async () => {
    const { out } = await ends(verify(), 2);
    expect(lastLine({ out })).toContain(
      `which only the service names: pin the service with \`svc trust ${reader.service.origin}\` if you know it`,
    );
    expect(JSON.parse((await verify(['--json'])).out)).toMatchObject({
      result: 'wait',
      trust: { source: 'service', pinned: false },
    });
    reader.service.answers['/.well-known/svc.json'] = wellKnown(vector, reader.rpc.url, [other]);
    expect((await verify()).status).toBe(1);
    expect(existsSync(reader.pinsFile), 'verify writes no pins').toBe(false);
  });

  test('named with --trust passes, and is not stored', async () => {
    await ends(verify(['--trust', reader.service.origin, '--json']), 0, {
      json: { result: 'pass', trust: { source: 'trust', pinned: true } },
    });
    expect(existsSync(reader.pinsFile)).toBe(false);
  });

  test('is pinned by svc trust, stays when the service publishes other values later, and the change is shown', async () => {
    const { origin } = reader.service;
    await ends(svcHere(['trust', origin], { home: reader.home }), 0, { out: vector.trust.relayers[0]! });
    expect(JSON.parse(readFileSync(reader.pinsFile, 'utf8'))).toEqual({
      [origin]: {
        chain_id: vector.trust.chain_id,
        attestation_contract: vector.trust.contract,
        schema_uid: vector.trust.schema_uid,
        relayers: vector.trust.relayers,
      },
    });
    expect(statSync(reader.pinsFile).mode & 0o777).toBe(0o600);
    expect(await verify(), 'pinned').toMatchObject({ status: 0 });

    const forged = receiptVector('invalid/receipt-attested-by-another');
    forged.receipt.etch_id = id;
    forged.receipt.chain.relayer = `0x${Object.values(forged.chain.eth_call)[0]!.slice(2 + 8 * 64 + 24, 2 + 9 * 64)}`;
    reader.rpc.state = forged.chain;
    publish(reader.service, forged, reader.rpc.url, origin);
    reader.service.answers['/.well-known/svc.json'] = wellKnown(forged, reader.rpc.url, [
      forged.receipt.chain.relayer,
    ]);
    const before = readFileSync(reader.pinsFile, 'utf8');
    await ends(verify(['--rpc', reader.rpc.url]), 1, {
      out: `relayers: ${vector.trust.relayers[0]} became ${forged.receipt.chain.relayer}`,
    });
    await ends(svcHere(['trust', origin], { home: reader.home }), 1, {
      out: '',
      err: `became ${forged.receipt.chain.relayer}`,
    });
    expect(readFileSync(reader.pinsFile, 'utf8')).toBe(before);
    expect(await svcHere(['verify', id, '--base-url', origin])).toMatchObject({ status: 2 });
    expect(await svcHere(['trust', '--forget', origin], { home: reader.home })).toMatchObject({ status: 0 });
    expect(await svcHere(['trust', origin], { home: reader.home })).toMatchObject({ status: 0 });
    expect((await svcHere(['trust'], { home: reader.home })).out).toContain(forged.receipt.chain.relayer);
    expect(await verify()).toMatchObject({ status: 0 });
  });

  test('is not read over plain http except on this machine', async () => {
    const away = `http://0.0.0.0:${reader.service.port}`;
    for (const args of [
      ['trust', away],
      ['verify', id, '--base-url', away, '--trust', away],
    ])
      await ends(svcHere(args, { home: reader.home }), 64, {
        out: '',
        err: 'plain http',
        where: args.join(' '),
      });
    expect(existsSync(reader.pinsFile)).toBe(false);
  });

  test('includes the promise keys, and a promise by any other key waits', async () => {
    const [first, second] = [promiseKey(), promiseKey()];
    const publishKey = (key: string) => {
      const facts = wellKnown(vector, reader.rpc.url);
      reader.service.answers['/.well-known/svc.json'] = { ...facts, promise: { keys: [key] } };
    };
    const day = promisedDay(vector);
    const nonce = '5'.repeat(64);
    const { content } = parseCanonicalString(vector.receipt.canonical_string!)!;
    const etch = { id, description: 'Rain', category: { id: 'science' }, mode: 'instant', reveal_at: null };
    reader.service.answers[`/api/v1/etches/${id}`] = { etch: { ...etch, challenge: null } };
    const promised = async (by: ReturnType<typeof promiseKey>, until = day, answer: object | null = null) => {
      const file = join(reader.home, 'promise.json');
      const { hash, author } = vector.receipt;
      const words = promiseWords(nonce, content);
      const fields = [id, author.user_id, hash, until, hashDescription(etch.description)];
      const text = ['svc-promise:v3', ...fields, 'science', 'instant', '-', '-', words].join('|');
      const promise = by.promise(text, nonce);
      writeFileSync(file, JSON.stringify(answer === null ? promise : { ...answer, promise }));
      const ran = await verify(['--promise', file]);
      return `${ran.status} ${/The promise: (\S+)/.exec(ran.out)?.[1]}`;
    };
    publishKey(first.publicKey);
    expect(await promised(first), 'nothing is pinned').toBe('2 unknown-key');
    await svcHere(['trust', reader.service.origin], { home: reader.home });
    expect(JSON.parse(readFileSync(reader.pinsFile, 'utf8'))[reader.service.origin].promise_keys).toEqual([
      first.publicKey,
    ]);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(first, '2099-01-01')).toBe('1 misdated');
    publishKey(second.publicKey);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(second)).toBe('2 unknown-key');
  });

  test('pinned applies to a file of that service too, and a flag overrides it', async () => {
    reader.pin();
    const file = join(reader.home, 'receipt.json');
    const receipt = publish(reader.service, vector, reader.rpc.url);
    const run = (more: string[] = []) =>
      svcHere(['verify', file, '--rpc', reader.rpc.url, ...more], { home: reader.home });
    writeFileSync(file, JSON.stringify({ ...receipt, chain: { ...receipt.chain, relayer: other } }));
    expect(await run()).toMatchObject({ status: 1 });
    writeFileSync(file, JSON.stringify(receipt));
    await ends(run(), 0, { without: 'comes from the receipt' });
    expect(await run(['--relayer', other])).toMatchObject({ status: 1 });
  });

  test('that is damaged is not replaced silently', async () => {
    for (const text of ['{', 'null', JSON.stringify({ [reader.service.origin]: { relayers: [] } })]) {
      reader.pin();
      writeFileSync(reader.pinsFile, text);
      for (const args of [
        ['verify', id, '--base-url', reader.service.origin],
        ['trust', reader.service.origin],
      ]) {
        await ends(svcHere(args, { home: reader.home }), 64, { err: reader.pinsFile });
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
    const { chain_id, ...rest } = wellKnown(signed, reader.rpc.url).chain;
    reader.pin({
      chain_id,
      attestation_contract: rest.attestation_contract,
      schema_uid: rest.schema_uid,
      relayers: rest.relayers,
    });
    const judged = async (public_key: string) => {
      const user = { user_id: receipt.author.user_id, public_key };
      reader.service.answers[`/api/v1/users/${receipt.author.username}/etches?limit=1`] = {
        user,
        etches: [],
      };
      const { status, out } = await svcHere(
        ['verify', receipt.etch_id, '--base-url', reader.service.origin],
        {
          home: reader.home,
        },
      );
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

const promisedDay = ({ receipt }: typeof vector) =>
  anchorBy(receipt.canonical_string!.split('|')[2]!.slice(0, 10));
