import { readdirSync, readFileSync } from 'node:fs';
import type * as protocol from '@svc/protocol';
import { overall, type Trust, type Verification } from '@svc/verifier';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import { trustOf } from '../../../testing/vectors/receipts.ts';
import { fileName, load, manifest, source, weight } from './built.ts';

describe('the scripts for browsers', () => {
  it.each([
    ['blind', 1_000],
    ['seal-blind', 45_000],
    ['unseal', 3_200],
    ['open', 6_000],
    ['opening', 45_000],
    ['verify', 17_000],
    ['signature', 16_000],
    ['evidence', 28_200],
    ['read-index', 30_000],
    ['timestamps', 100_000],
    ['files', 1_000],
    ['hash-files', 16_000],
    ['try', 6_000],
    ['times', 1_200],
    ['audit', 500],
    ['audit-record', 45_000],
    ['reference', 1_500],
  ] as [string, number][])('%s weighs at most %i bytes, gzipped', (name, most) =>
    expect(weight(name)).toBeLessThanOrEqual(most),
  );

  it.each([
    ['verify', 'evidence'],
    ['verify', 'read-index'],
    ['evidence', 'timestamps'],
    ['open', 'opening'],
    ['unseal', 'opening'],
    ['blind', 'seal-blind'],
    ['files', 'hash-files'],
    ['audit', 'audit-record'],
  ] as [string, string][])('%s loads %s on demand', (island, part) =>
    expect(source(island)).toContain(`import("./${fileName(part)}")`),
  );

  it.each([
    ['verify', [0x428a2f98, 0x71374491, 0xc67178f2]],
    ['try', [0x428a2f98, 0xc67178f2]],
  ])('%s hashes with the SHA-256 of the published verifier', (name, constants) => {
    for (const constant of constants) expect(source(name)).toContain(String(constant));
  });

  it('no island makes nodes from markup', () => {
    for (const name of manifest.served.filter((file) => file.endsWith('.js')))
      expect(source(name.split('.')[0]!), name).not.toMatch(/innerHTML/i);
  });

  it('no island uses a constant before it has its value', () => {
    const folder = new URL('../src/islands/', import.meta.url);
    const islands = readdirSync(folder).map((name) =>
      ts.createSourceFile(name, readFileSync(new URL(name, folder), 'utf8'), ts.ScriptTarget.ESNext, true),
    );
    expect(islands.length).toBeGreaterThan(20);
    expect(islands.flatMap(usedTooEarly)).toEqual([]);
  });

  it('the browser’s check of signatures agrees with the protocol’s vectors', async () => {
    const built = (await load('signature')) as Pick<typeof protocol, 'verifySignature'>;
    const check = ({ public_key: publicKey, message, signature }: Record<string, string>) =>
      built.verifySignature({ publicKey: publicKey!, message: message!, signature: signature! });
    for (const one of readVector('valid/signatures-odd').signed) expect(check(one), one.name).toBe(true);
    for (const [fault, one] of invalidVectors('signature-')) expect(check(one), fault).toBe(false);
  });

  it('the browser’s check of evidence agrees with the vectors', async () => {
    const { readEvidence } = (await load('evidence')) as {
      readEvidence: (
        file: unknown,
        entered: (field: string) => string,
      ) => { verify: (trust: Trust, rpcUrl: string) => Promise<Verification> };
    };
    for (const kind of ['tree', 'tree-retracted', 'single', 'single-retracted']) {
      const vector = readVector(`valid/evidence-${kind}-among-20`);
      const check = (hashes: string) =>
        readEvidence(vector.evidence, (field) => (field === 'blockHash' ? hashes : '')).verify(
          trustOf(vector),
          'http://127.0.0.1:9/',
        );
      const found = await check(vector.block_hashes.join(', '));
      expect(found.checks.map(({ badge }) => badge)).toEqual(vector.expect);
      expect(overall(found)).toBe('pass');
      expect(overall(await check(`0x${'12'.repeat(32)}`))).toBe('fail');
    }
  });

  it('checks time stamps with certificates, by code loaded on demand, and says without them that it did not check', async () => {
    const { readEvidence } = await load('evidence');
    const vector = readVector('valid/stamped-evidence');
    const { evidence, certificates, block_hashes } = vector;
    const check = async (tsaCertificates: string, file = evidence) => {
      const entered = { blockHash: block_hashes.join(' '), tsaCertificates } as Record<string, string>;
      const read = readEvidence(file, (field: string) => entered[field]!);
      const found = await read.verify(trustOf(vector), 'http://127.0.0.1:9/');
      return [overall(found), ...found.checks.slice(3).map(({ badge, detail }: any) => [badge, detail])];
    };
    const unjudged = ['unjudged', expect.stringContaining('which was not checked: enter the certificates')];
    expect(await check('')).toEqual(['pass', unjudged]);
    const stamped = ['stamped', expect.stringContaining('by the clock of')];
    expect(await check(certificates)).toEqual(['pass', stamped]);
    const mismatch = ['mismatch', expect.stringContaining('No authority that you trust')];
    expect(await check(readVector('valid/timestamp-curve').certificates)).toEqual(['fail', mismatch]);
    await expect(check('none')).rejects.toThrow('certificate');
    const bare = { ...evidence };
    delete bare.witnesses;
    expect(await check('', bare)).toEqual(['pass']);
    expect(await check(certificates, bare)).toEqual(['wait', ['none', expect.anything()]]);
    const { evidence: proven } = readVector('valid/ots');
    const command = ['unjudged', expect.stringContaining('use svc verify --require chain,ots.')];
    expect(await check('', proven)).toContainEqual(command);
    // A saved page has no check of time stamps, and says so.
    expect(manifest.receipt.script).toMatch(/use svc verify --require chain,.* or the page \/verify/);
    expect(manifest.receipt.script.length).toBeLessThan(150_000);
  });

  it('finds the place of a receipt in the index of accounts under an entered key only', async () => {
    const { readIndex } = await load('read-index');
    const key = (readVector('valid/tlog').policy as string).split(/\s/)[1]!;
    const { readings } = readVector('valid/account-index');
    const { pages } = readings.find(({ what }: any) => what === 'one account');
    const hash = pages[0].entries.at(-1).slice(18);
    const receipt = { hash, author: { user_id: pages[0].user_id }, index: pages };
    const check = (logKeys: string, file: object = receipt) => readIndex(file, () => logKeys);
    expect(check(key)).toMatchObject({ verdict: 'pass', badge: 'present' });
    expect(check(key).detail).toMatch(
      /^Etch \d+ of \d+ of its author .* Nobody whom you named has recomputed/,
    );
    expect(check('')).toMatchObject({
      verdict: 'info',
      detail: expect.stringContaining('enter log.keys of the service’s svc.json'),
    });
    const [{ pages: behind }] = readings;
    const other = { author: { user_id: behind[0].user_id }, index: behind };
    const waiting = { hash: behind[0].entries.at(-1).slice(18), ...other };
    expect(check(key, waiting)).toMatchObject({ verdict: 'wait', badge: 'present' });
    expect(() => check('x')).toThrow();
    expect(check(key, { ...receipt, hash: '0'.repeat(64) })).toMatchObject({ badge: 'absent' });
    const cut = [{ ...pages[0], entries: pages[0].entries.slice(1) }];
    expect(check(key, { ...receipt, index: cut })).toMatchObject({ verdict: 'fail' });
    expect(manifest.receipt.script).toContain('has recomputed the index');
  });

  it('the opener of openings agrees with the vectors', async () => {
    const { openHere } = (await load('opening')) as {
      openHere: (
        text: string,
        entered: Record<'beacon' | 'relay' | 'keys', string>,
      ) => Promise<{ verdict: string; heading: string; words: { content: string } | null }>;
    };
    const { openings, beacon } = readVector('valid/openings');
    const open = (opening: { public_key: string }, signature: string) =>
      openHere(JSON.stringify(opening), { beacon: signature, relay: '', keys: opening.public_key });
    for (const { opening, expect: verdict } of openings)
      expect((await open(opening, beacon.signature)).verdict).toBe(verdict);
    const found = await open(openings[0].opening, beacon.signature);
    expect(found.words?.content).toBe('It will rain on Sunday.');
    expect((await open(openings[1].opening, beacon.signature)).heading).toBe('This is a broken promise.');
    expect(await open(openings[0].opening, '')).toMatchObject({ verdict: 'wait', words: null });
  });
});

/** Follows what a module runs while it loads, through its own functions, and not the functions that it passes on. */
function usedTooEarly(island: ts.SourceFile): string[] {
  const functions = new Map<string, ts.FunctionDeclaration>();
  const constants = new Map<string, number>();
  for (const statement of island.statements) {
    if (ts.isFunctionDeclaration(statement)) functions.set(statement.name!.text, statement);
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations)
        constants.set(name.getText(), statement.end);
  }
  const early = new Set<string>();
  const followed = new Set<ts.Node>();
  const follow = (node: ts.Node, at: number): void => {
    if (ts.isFunctionLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && (constants.get(node.text) ?? 0) > at && !isName(node))
      early.add(`${island.fileName}: ${node.text}`);
    const called = ts.isCallExpression(node) ? functions.get(node.expression.getText()) : undefined;
    if (called?.body && !followed.has(called)) {
      followed.add(called);
      follow(called.body, at);
    }
    ts.forEachChild(node, (child) => follow(child, at));
  };
  for (const statement of island.statements) follow(statement, statement.end);
  return [...early];
}

/** `name` in `value.name`, in `{ name: value }` and in `const name`. */
const isName = (node: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(node.parent) ||
    ts.isPropertyAssignment(node.parent) ||
    ts.isVariableDeclaration(node.parent)) &&
  node.parent.name === node;
