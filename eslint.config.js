import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import parser from '@typescript-eslint/parser';
import { APART, LAYERS, ONLY_FOR, PACKAGES, UPWARD } from './house.config.js';

// The walls of the house (house.config.js): each zone says what a room may not reach, and no files close a circle. Everything
// else that is linted is in .oxlintrc.json, which is faster and knows no zones.
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
  ...Object.entries(APART).flatMap(([folder, { of, why }]) =>
    of.map((from) => ({ target: `${server}/${folder}`, from: `${server}/${from}`, message: `${why}.` })),
  ),
];

export default [
  { ignores: ['**/dist/**', '**/node_modules/**', 'data/**', '.cache/**', 'coverage/**'] },
  {
    files: ['**/*.{ts,tsx,mts,js,mjs}'],
    languageOptions: { parser },
    // What the other linter is told about its own rules is not for this one.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { 'import-x': importX },
    settings: {
      // Without these two no circle is seen: what is imported would not be read.
      'import-x/extensions': ['.ts', '.tsx', '.mjs'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx', '.mjs'] },
      'import-x/resolver-next': [
        createTypeScriptImportResolver({
          project: ['./packages/*/tsconfig.json'],
          noWarnOnMultipleProjects: true,
        }),
      ],
    },
    rules: { 'import-x/no-cycle': ['error', { ignoreExternal: true }] },
  },
  {
    // Every zone's target is here: of other files it would only cost time.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones, basePath: import.meta.dirname }] },
  },
];
