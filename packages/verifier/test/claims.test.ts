import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

// docs/claims.md names every sentence that tells a verdict. Here they are taken out of the code that says them.
const root = join(import.meta.dirname, '../../..');
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
    'evidence/verify-evidence',
    'evidence/witnesses',
    'opening/check-opening',
    'opening/check-blind-seal',
  ].map((name) => `packages/verifier/src/${name}.ts`),
  'packages/timestamp/src/check-witnesses.ts',
  'packages/cli/src/verdict-words.ts',
  'packages/mcp/src/verdict-words.ts',
  'packages/web/src/proven.ts',
  'packages/web/src/judgement.ts',
  'packages/web/src/blind-standing.ts',
  'packages/web/src/try-words.ts',
  'packages/web/src/islands/opened-seal.ts',
];

/** Every text of a program, with `…` for what is put into it. */
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

const page = readFileSync(join(root, 'docs/claims.md'), 'utf8');
/** The sentences that the page's tables begin with. */
const claimed = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, text]) => text!.replaceAll('\\|', '|'));

test.each(SPEAKING)('what %s says is in docs/claims.md', (file) => {
  const said = textsOf(file).filter(isSentence);
  expect(said.length).toBeGreaterThan(0);
  const inProse = [...page.matchAll(/`([^`]+)`/g)].map(([, text]) => text!.replaceAll('\\|', '|'));
  expect(said.filter((text) => !inProse.includes(text))).toEqual([]);
});

test('and nothing is in docs/claims.md that is not said', () => {
  const said = new Set(SPEAKING.flatMap(textsOf));
  expect(claimed.length).toBeGreaterThan(80);
  expect(claimed.filter((text) => !said.has(text))).toEqual([]);
});
