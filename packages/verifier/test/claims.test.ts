import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { PROOF_KINDS } from '@svc/verifier/evidence';
import { expect, test } from 'vitest';

// Extracts every verdict sentence from the code.
const root = join(import.meta.dirname, '../../..');

/** With `…` for each inserted value. */
function textsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node))
      texts.push(node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.map((text) => text.replaceAll(/…+/g, '…').trim()).filter((text) => / /.test(text));
}

const isSentence = (text: string) =>
  (/^[A-Z…]/.test(text) && /[.:]$/.test(text)) || text.includes('holds only if');

/** The files of the kinds of proof that have a sentence. */
const proofsOf = (name: string): string[] =>
  readdirSync(join(root, `packages/${name}/src/proofs`), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && textsOf(`packages/${name}/src/proofs/${file}`).some(isSentence))
    .map((file) => `${name}/src/proofs/${file.slice(0, -'.ts'.length)}`);

const SPEAKING = [
  ...[
    'words',
    'batch',
    'chain',
    'revocation',
    'promise',
    'promise-faults',
    'author',
    'verification',
    'account-index/receipt-place',
    'evidence/verify-evidence',
    'evidence/witnesses',
    'opening/check-opening',
    'opening/check-blind-seal',
  ].map((name) => `verifier/src/${name}`),
  'timestamp/src/check-witnesses',
  'timestamp/src/ots/check-ots',
  ...proofsOf('verifier'),
  ...proofsOf('cli'),
  'cli/src/verdict-words',
  'cli/src/audit/audit-scope',
  'cli/src/commands/git',
  'cli/src/commands/settle',
  'cli/src/log/verify-log',
  'mcp/src/verdict-words',
  'web/src/proof-status',
  'web/src/receipt-outcome',
  'web/src/record-verdict',
  'web/src/islands/read-index',
  'web/src/blind-seal',
  'web/src/try-words',
  'web/src/islands/opening',
].map((name) => `packages/${name}.ts`);

const sections = JSON.parse(readFileSync(join(import.meta.dirname, 'claims.json'), 'utf8')) as {
  rows: { sentence: string; checked: string }[];
}[];
const claimed = sections.flatMap(({ rows }) => rows.map(({ sentence }) => sentence));

test.each(SPEAKING)('claims.json lists every sentence of %s', (file) => {
  const said = textsOf(file).filter(isSentence);
  expect(said.length).toBeGreaterThan(0);
  expect(said.filter((text) => !claimed.includes(text))).toEqual([]);
});

test('claims.json lists no sentence that the code does not have', () => {
  const said = new Set(SPEAKING.flatMap(textsOf));
  expect(claimed.length).toBeGreaterThan(80);
  expect(claimed.filter((text) => !said.has(text))).toEqual([]);
});

test.each(PROOF_KINDS)('claims.json says what --require $need proves', ({ need }) => {
  expect(sections[0]!.rows.some(({ checked }) => checked.includes(`--require ${need}`))).toBe(true);
});

test.each(['README.md', 'docs/quickstart.md'])('the output in %s has the words of the code', (page) => {
  const said = SPEAKING.flatMap(textsOf);
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const titles = lines.flatMap((line) => /^(?:PASS|WAIT|FAIL) {2}(The [^:]+):/.exec(line)?.[1] ?? []);
  expect(titles.length).toBeGreaterThan(2);
  expect(titles.filter((title) => !said.includes(title))).toEqual([]);
  const begins = claimed
    .filter((sentence) => /^The /.test(sentence))
    .map((sentence) => sentence.split('…')[0]!);
  const details = lines.filter((line) => /^ {6}The /.test(line)).map((line) => line.trim());
  expect(details.length).toBeGreaterThan(0);
  expect(details.filter((detail) => !begins.some((begin) => detail.startsWith(begin)))).toEqual([]);
});
