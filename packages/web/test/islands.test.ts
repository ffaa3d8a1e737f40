import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type * as protocol from '@svc/protocol';
import { overall, type Trust, type Verification } from '@svc/verifier';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import { apiReferencePage, apiReferenceParts, etchPage, ISLANDS_FOLDER } from '@svc/web';
import { etch, site } from '../../../testing/views.ts';

describe('the scripts for browsers', () => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', ISLANDS_FOLDER), 'utf8')) as {
    files: Record<string, string>;
    served: string[];
    receipt: { script: string };
  };
  const weight = (name: string): number =>
    gzipSync(readFileSync(new URL(name, ISLANDS_FOLDER)), { level: 9 }).length;

  it('the verifying island weighs at most 16 kB, the signature check 16 kB more', () => {
    expect(weight(manifest.files['verify.js']!)).toBeLessThanOrEqual(16_000);
    const signature = manifest.served.find((name) => name.startsWith('signature.'))!;
    expect(weight(signature)).toBeLessThanOrEqual(16_000);
  });

  it('no island makes nodes from markup', () => {
    for (const name of Object.values(manifest.files).filter((file) => file.endsWith('.js')))
      expect(readFileSync(new URL(name, ISLANDS_FOLDER), 'utf8')).not.toMatch(/innerHTML/i);
  });

  it('no island uses a constant before it has its value', () => {
    const folder = new URL('../src/islands/', import.meta.url);
    const islands = readdirSync(folder).map((name) =>
      ts.createSourceFile(name, readFileSync(new URL(name, folder), 'utf8'), ts.ScriptTarget.ESNext, true),
    );
    expect(islands.length).toBeGreaterThan(20);
    expect(islands.flatMap(usedTooEarly)).toEqual([]);
  });

  it('hashes in the island with the SHA-256 of the published verifier', () => {
    const island = readFileSync(new URL(manifest.files['verify.js']!, ISLANDS_FOLDER), 'utf8');
    for (const constant of [0x428a2f98, 0x71374491, 0xc67178f2]) expect(island).toContain(String(constant));
  });

  it('the browser’s check of signatures agrees with the protocol’s vectors', async () => {
    const name = manifest.served.find((one) => one.startsWith('signature.'))!;
    const built = (await import(new URL(name, ISLANDS_FOLDER).href)) as Pick<
      typeof protocol,
      'verifySignature'
    >;
    const check = ({ public_key: publicKey, message, signature }: Record<string, string>) =>
      built.verifySignature({ publicKey: publicKey!, message: message!, signature: signature! });
    for (const one of readVector('valid/signatures-odd').signed) expect(check(one), one.name).toBe(true);
    for (const [fault, one] of invalidVectors('signature-')) expect(check(one), fault).toBe(false);
  });

  it('the browser’s check of evidence agrees with the vectors, and loads on demand', async () => {
    const name = manifest.served.find((one) => one.startsWith('evidence.'))!;
    expect(weight(name)).toBeLessThanOrEqual(28_000);
    const island = readFileSync(new URL(manifest.files['verify.js']!, ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name}")`);
    const { readEvidence } = (await import(new URL(name, ISLANDS_FOLDER).href)) as {
      readEvidence: (
        file: unknown,
        entered: (field: string) => string,
      ) => { verify: (trust: Trust, rpcUrl: string) => Promise<Verification> };
    };
    for (const kind of ['tree', 'tree-retracted', 'single', 'single-retracted']) {
      const { evidence, trust, block_hashes, expect: badges } = readVector(`valid/evidence-${kind}-among-20`);
      const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = trust;
      const check = (hashes: string) =>
        readEvidence(evidence, (field) => (field === 'blockHash' ? hashes : '')).verify(
          { chainId, contract, schemaUid, relayers },
          'http://127.0.0.1:9/',
        );
      const found = await check(block_hashes.join(', '));
      expect(found.checks.map(({ badge }) => badge)).toEqual(badges);
      expect(overall(found)).toBe('pass');
      expect(overall(await check(`0x${'12'.repeat(32)}`))).toBe('fail');
    }
  });

  it('checks time stamps with certificates, by code loaded on demand, and says without them that it did not check', async () => {
    const name = (start: string) => manifest.served.find((one) => one.startsWith(start))!;
    const island = readFileSync(new URL(name('evidence.'), ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name('timestamps.')}")`);
    expect(weight(name('timestamps.'))).toBeLessThanOrEqual(100_000);
    const { readEvidence } = await import(new URL(name('evidence.'), ISLANDS_FOLDER).href);
    const { evidence, certificates, trust, block_hashes } = readVector('valid/stamped-evidence');
    const { chain_id: chainId, contract, schema_uid: schemaUid, relayers } = trust;
    const check = async (tsaCertificates: string, file = evidence) => {
      const entered = { blockHash: block_hashes.join(' '), tsaCertificates } as Record<string, string>;
      const read = readEvidence(file, (field: string) => entered[field]!);
      const found = await read.verify({ chainId, contract, schemaUid, relayers }, 'http://127.0.0.1:9/');
      return [overall(found), ...found.checks.slice(3).map(({ badge, detail }: any) => [badge, detail])];
    };
    const unjudged = ['unjudged', expect.stringContaining('which was not checked: enter the certificates')];
    expect(await check('')).toEqual(['pass', unjudged]);
    expect(await check(certificates)).toEqual([
      'pass',
      ['stamped', expect.stringContaining('by the clock of')],
    ]);
    const others = readVector('valid/timestamp-curve').certificates;
    expect(await check(others)).toEqual([
      'fail',
      ['mismatch', expect.stringContaining('No authority that you trust')],
    ]);
    await expect(check('none')).rejects.toThrow('certificate');
    const bare = { ...evidence };
    delete bare.witnesses;
    expect(await check('', bare)).toEqual(['pass']);
    expect(await check(certificates, bare)).toEqual(['wait', ['none', expect.anything()]]);
    // A saved page has no check of time stamps, and says so.
    expect(manifest.receipt.script).toContain('use svc verify --require chain,tsa or the page');
    expect(manifest.receipt.script.length).toBeLessThan(150_000);
  });

  it('the opener of openings weighs at most 45 kB, loads on demand, and agrees with the vectors', async () => {
    const name = manifest.served.find((one) => one.startsWith('opening.'))!;
    expect(weight(name)).toBeLessThanOrEqual(45_000);
    const island = readFileSync(new URL(manifest.files['open.js']!, ISLANDS_FOLDER), 'utf8');
    expect(island).toContain(`import("./${name}")`);
    expect(weight(manifest.files['open.js']!)).toBeLessThanOrEqual(6_000);
    const { openHere } = (await import(new URL(name, ISLANDS_FOLDER).href)) as {
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

  it('the file field weighs at most 1 kB, and its hashing at most 16 kB, loaded with the first file', () => {
    const waiting = readFileSync(new URL(manifest.files['files.js']!, ISLANDS_FOLDER), 'utf8');
    expect(weight(manifest.files['files.js']!)).toBeLessThanOrEqual(1_000);
    const [, hashing] = /import\("\.\/(hash-files[^"]+)"\)/.exec(waiting)!;
    expect(weight(hashing!)).toBeLessThanOrEqual(16_000);
  });

  it('the whole reference of the API, with its style and its search, weighs at most 65 kB', () => {
    const parts = apiReferenceParts(site.baseUrl).map((part) => part());
    const html = gzipSync(apiReferencePage(site, parts).html).length;
    expect(weight(manifest.files['reference.js']!)).toBeLessThanOrEqual(1_500);
    expect(
      html + weight(manifest.files['site.css']!) + weight(manifest.files['reference.js']!),
    ).toBeLessThanOrEqual(65_000);
  });

  it('an etch page with its style weighs at most 25 kB', () => {
    const content = Array.from({ length: 2_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    ).join('');
    const html = gzipSync(etchPage(site, etch({ content, canonical_string: content })).html).length;
    expect(html + weight(manifest.files['site.css']!)).toBeLessThanOrEqual(25_000);
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
