import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// The walls of the house (docs/decisions/0001-rooms.md). Each zone says what a room may not reach.
const room = (target, from, message) => ({ target, from, message });
const server = './packages/server/src';
const serverRooms = [
  'http',
  'identity',
  'etches',
  'challenges',
  'accounts',
  'discovery',
  'follows',
  'guide',
  'webhooks',
  'anchoring',
  'chain',
  'scheduler',
  'vitals',
];
const pkg = (name, others) =>
  others.map((other) =>
    room(`./packages/${name}`, `./packages/${other}`, `${name} must stand without ${other}.`),
  );

const zones = [
  ...pkg('protocol', ['contract', 'verifier', 'sdk', 'cli', 'mcp', 'web', 'server']),
  ...pkg('contract', ['verifier', 'sdk', 'cli', 'mcp', 'web', 'server']),
  ...pkg('verifier', ['contract', 'sdk', 'cli', 'mcp', 'web', 'server']),
  ...pkg('sdk', ['cli', 'mcp', 'web', 'server']),
  ...pkg('cli', ['mcp', 'web', 'server', 'contract']),
  ...pkg('mcp', ['cli', 'web', 'server']),
  ...pkg('web', ['sdk', 'cli', 'mcp', 'server']),
  ...serverRooms.map((name) => room(`${server}/db`, `${server}/${name}`, 'db imports nothing of ours.')),
  ...serverRooms
    .filter((name) => name !== 'chain')
    .map((name) => room(`${server}/chain`, `${server}/${name}`, 'chain knows chains, not the service.')),
  ...serverRooms
    .filter((name) => !['chain', 'anchoring'].includes(name))
    .map((name) => room(`${server}/anchoring`, `${server}/${name}`, 'anchoring and etches meet in rows.')),
  ...serverRooms
    .filter((name) => name !== 'http')
    .map((name) => room(`${server}/${name}`, `${server}/http`, 'only http knows HTTP.')),
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
      'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }],
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
    // The environment is read once: only the wiring touches `process`.
    files: ['packages/server/src/**/*.ts'],
    ignores: [
      'packages/server/src/main.ts',
      'packages/server/src/admin/main.ts',
      'packages/server/src/settings/config.ts',
      'packages/server/src/devnet-main.ts',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Read it in config.ts or main.ts and pass it in.' },
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
