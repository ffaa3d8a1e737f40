import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import parser from '@typescript-eslint/parser';
import { APART, LAYERS, ONLY_FOR, PACKAGES, UPWARD } from './architecture.config.js';

// Each zone forbids imports into a module, and no files may form a cycle (architecture.config.js). All other rules are
// in .oxlintrc.json, because oxlint is faster but has no zones.
const server = './packages/server/src';
const modules = LAYERS.flat();

const zones = [
  ...Object.entries(PACKAGES).flatMap(([name, imports]) =>
    Object.keys(PACKAGES)
      .filter((other) => other !== name && !imports.includes(other))
      .map((other) => ({
        target: `./packages/${name}/src`,
        from: `./packages/${other}`,
        message: `${name} must not import ${other}.`,
      })),
  ),
  ...LAYERS.flatMap((layer, height) => {
    const above = LAYERS.slice(height).flat();
    return layer.flatMap((module) =>
      above
        .filter((other) => other !== module)
        .map((other) => ({
          target: `${server}/${module}`,
          from: `${server}/${other}`,
          except: UPWARD.filter(
            ({ from, to }) => from.startsWith(`${module}/`) && to.startsWith(`${other}/`),
          ).map(({ to }) => `./${to.slice(other.length + 1)}`),
          message: `${other} is in the same layer as ${module} or a higher one: pass in what ${module} needs, or move the file.`,
        })),
    );
  }),
  ...Object.entries(ONLY_FOR).flatMap(([module, { modules: allowed, why }]) =>
    modules
      .filter((other) => other !== module && !allowed.includes(other))
      .map((other) => ({ target: `${server}/${other}`, from: `${server}/${module}`, message: `${why}.` })),
  ),
  ...Object.entries(APART).flatMap(([folder, { of, why }]) =>
    of.map((from) => ({ target: `${server}/${folder}`, from: `${server}/${from}`, message: `${why}.` })),
  ),
];

export default [
  { ignores: ['**/dist/**', '**/node_modules/**', 'data/**', '.cache/**', 'coverage/**'] },
  {
    files: ['**/*.{ts,tsx,mts,js,mjs}'],
    languageOptions: { parser },
    // The disable directives belong to oxlint.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { 'import-x': importX },
    settings: {
      // Without these two, the plugin reads no imports and finds no cycle.
      'import-x/extensions': ['.ts', '.tsx', '.mjs'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx', '.mjs'] },
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: ['./packages/*/tsconfig.json'],
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write what the literal contains without a spread.',
        },
      ],
    },
  },
  {
    // All zones are in these files; more files would only cost time.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }] },
  },
];
