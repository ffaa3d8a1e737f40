import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { LAYERS, ONLY_FOR, PACKAGES, UPWARD } from './house.config.js';

// The walls of the house (house.config.js). Each zone says what a room may not reach.
const server = './packages/server/src';
const rooms = LAYERS.flat();

const zones = [
  ...Object.entries(PACKAGES).flatMap(([name, imports]) =>
    Object.keys(PACKAGES)
      .filter((other) => other !== name && !imports.includes(other))
      .map((other) => ({
        target: `./packages/${name}/src`,
        from: `./packages/${other}`,
        message: `${name} must stand without ${other}.`,
      })),
  ),
  ...LAYERS.flatMap((layer, height) => {
    const above = LAYERS.slice(height).flat();
    return layer.flatMap((room) =>
      above
        .filter((other) => other !== room)
        .map((other) => ({
          target: `${server}/${room}`,
          from: `${server}/${other}`,
          except: UPWARD.filter(
            ({ from, to }) => from.startsWith(`${room}/`) && to.startsWith(`${other}/`),
          ).map(({ to }) => `./${to.slice(other.length + 1)}`),
          message: `${other} lies above ${room}, or beside it: hand in what is needed, or move the file.`,
        })),
    );
  }),
  ...Object.entries(ONLY_FOR).flatMap(([room, { rooms: allowed, why }]) =>
    rooms
      .filter((other) => other !== room && !allowed.includes(other))
      .map((other) => ({ target: `${server}/${other}`, from: `${server}/${room}`, message: `${why}.` })),
  ),
  ...['db', 'anchoring/steps', 'anchoring/recovery', 'anchoring/sequence.ts'].map((from) => ({
    target: `${server}/anchoring/decide`,
    from: `${server}/${from}`,
    message: 'a decision asks nobody and writes nothing.',
  })),
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'data/**', '.cache/**', 'coverage/**'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'URLSearchParams',
          'fetch',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'Buffer',
          'AbortController',
          'AbortSignal',
          'performance',
          'TextEncoder',
          'TextDecoder',
          'crypto',
          'setImmediate',
        ].map((g) => [g, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: './tsconfig.lint.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: ['./packages/*/tsconfig.json'] })],
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
    },
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      // Every zone's target is here: of other files it would only cost time.
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }],
    },
  },
  {
    // The environment is read once: only the wiring touches `process`.
    files: ['packages/server/src/**/*.ts'],
    ignores: [
      'packages/server/src/main.ts',
      'packages/server/src/admin/main.ts',
      'packages/server/src/settings/environment.ts',
      'packages/server/src/devnet-main.ts',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Read it in settings/environment.ts or main.ts and pass it in.' },
      ],
    },
  },
  {
    files: ['packages/server/src/**/*.ts'],
    ignores: ['packages/server/src/http/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'fastify', message: 'Only http/ knows Fastify.' }] },
      ],
    },
  },
  {
    files: ['packages/server/src/anchoring/**/*.ts'],
    ignores: ['packages/server/src/anchoring/ledger/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'fastify', message: 'Only http/ knows Fastify.' },
            { name: 'sql-template-tag', message: 'SQL of anchoring stands in its ledger.' },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts', 'e2e/**/*.ts', 'testing/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
