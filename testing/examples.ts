import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export function sourcesOf(folder: string): ts.SourceFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) =>
      ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.ESNext, true),
    );
}

/** @throws {Error} when two have one name */
export function examplesOf(sources: readonly ts.SourceFile[]): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (node: ts.Node, within: string): void => {
    const own = nameOf(node);
    const name = own === undefined ? undefined : `${within}${own}`;
    const example = name === undefined ? undefined : exampleOf(node);
    if (name !== undefined && example !== undefined) {
      if (found.has(name)) throw new Error(`two examples of ${name}`);
      found.set(name, example);
    }
    const inner = name !== undefined && holdsOthers(node) ? `${name}.` : within;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  for (const source of sources) visit(source, '');
  return found;
}

/** Lists a function that is also in an exported object once, by its own name. */
export const functionsOf = (
  value: object,
  within = '',
  exported: readonly unknown[] = Object.values(value),
): string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (typeof inner === 'function') {
      const isSkipped = inner.prototype instanceof Error || (within !== '' && exported.includes(inner));
      return isSkipped ? [] : [`${within}${name}`];
    }
    return typeof inner === 'object' && inner !== null
      ? functionsOf(inner, `${within}${name}.`, exported)
      : [];
  });

const holdsOthers = (node: ts.Node): boolean =>
  ts.isClassDeclaration(node) ||
  (ts.isPropertyAssignment(node) && ts.isObjectLiteralExpression(node.initializer));

function nameOf(node: ts.Node): string | undefined {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name.getText();
  if (ts.isExportDeclaration(node)) {
    const given = node.exportClause;
    return given !== undefined && ts.isNamedExports(given) ? given.elements[0]?.name.getText() : undefined;
  }
  const named =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isShorthandPropertyAssignment(node);
  return named ? node.name?.getText() : undefined;
}

function exampleOf(node: ts.Node): string | undefined {
  const comments = ts.getLeadingCommentRanges(node.getSourceFile().text, node.getFullStart()) ?? [];
  const text = comments.map(({ pos, end }) => node.getSourceFile().text.slice(pos, end)).join('\n');
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^\s*\/?\*+\/?(?: |$)/, '').replace(/\*\/\s*$/, ''));
  const start = lines.findIndex((line) => line.trim() === '@example');
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const next = rest.findIndex((line) => line.startsWith('@'));
  return rest
    .slice(0, next < 0 ? undefined : next)
    .join('\n')
    .trimEnd();
}

type Run = (...given: unknown[]) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => Run;

/**
 * Compares the results written behind a statement, `isHex('00', 1); // true`, or in the line below. Rejects an example
 * without a result.
 */
export async function runExample(code: string, given: Record<string, unknown>): Promise<void> {
  const checked = withChecks(code);
  if (checked === code) throw new Error(`the example shows no outcome:\n${code}`);
  const run = new AsyncFunction(...Object.keys(given), '__same', `{\n${checked}\n}`);
  await run(...Object.values(given), (actual: unknown, expected: unknown) =>
    assert.deepStrictEqual(actual, expected),
  );
}

function withChecks(code: string): string {
  const source = ts.createSourceFile('example.ts', `${code}\nexport {};`, ts.ScriptTarget.ESNext, true);
  let checked = code;
  const statements: { from: number; to: number; expected: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node)) {
      const [, shown] = /^[ \t]*(?:\n[ \t]*)?\/\/ (.*)/.exec(code.slice(node.end)) ?? [];
      if (shown !== undefined && isExpression(shown))
        statements.push({ from: node.getStart(), to: node.end, expected: shown });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const { from, to, expected } of statements.reverse()) {
    const expression = checked.slice(from, to).replace(/;$/, '');
    checked = `${checked.slice(0, from)}__same(${expression}, ${expected});${checked.slice(to)}`;
  }
  return checked;
}

function isExpression(text: string): boolean {
  try {
    new AsyncFunction(`return (${text}\n)`);
    return true;
  } catch {
    return false;
  }
}
