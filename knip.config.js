// What nobody uses fails `npm run lint` and `npm test`: files, dependencies, and exports that no other file imports. An export of what a
// package's `exports` names is for others and stays, except in the packages that only this repository uses.
export default {
  // Types of plain JavaScript: TypeScript finds them beside it.
  ignoreFiles: ['**/*.d.mts', 'house.config.d.ts'],
  // What JSX is compiled to calls them.
  ignoreIssues: { 'packages/web/src/islands/dom-jsx.ts': ['exports'] },
  // Of the server's, started where npm put it.
  ignoreDependencies: ['@foundry-rs/anvil'],
  workspaces: {
    '.': {
      // Begun by name: the commands of package.json, and the processes that they and the tests start.
      entry: [
        'scripts/*.mjs',
        'scripts/pictures/later.mjs',
        'bench/*.mjs',
        'bench/discovery/index.mjs',
        'bench/support/{bare-route,load,pglite-one-row}.mjs',
        'testing/issuer/standalone-issuer.mjs',
        'testing/beacon/main.mjs',
        'testing/calendar/calendar.mjs',
        'testing/machine/refuse-sockets.mjs',
        '{docs,vectors}/*.mjs',
      ],
      // Of the system.
      ignoreBinaries: [
        'apt-get',
        'go',
        'mount',
        'openssl',
        'promtool',
        'sha256sum',
        'systemd-analyze',
        'umount',
        'unshare',
      ],
      // Read where npm put it.
      ignoreDependencies: ['@ethereum-attestation-service/eas-contracts'],
    },
    'packages/cli': {
      // Of the system: keys, and a terminal for a shell.
      ignoreBinaries: ['openssl', 'script'],
    },
    'packages/sdk': { entry: ['examples/*.mjs'] },
    'packages/web': {
      // Bundled by scripts/build-web.mjs; the worker is a thread of its own.
      entry: [
        'src/islands/{open,unseal,drafts,try}.tsx',
        'src/islands/{verify,copy,live,compose,files,blind,receipt-file,reference,times,dom-jsx}.ts',
        'src/cards/worker.ts',
      ],
      includeEntryExports: true,
      // Fonts: read as files.
      ignoreDependencies: ['@embedpdf/fonts-sc', '@fontsource/.+', 'dejavu-fonts-ttf'],
    },
    'packages/server': {
      // Bundled by scripts/bundle-server.mjs; the embedded database and what encrypts openings are threads of their own.
      entry: ['bin/*.mjs', 'src/{main,devnet-main,admin/main,db/pglite-thread,etches/timelock-thread}.ts'],
    },
  },
};
