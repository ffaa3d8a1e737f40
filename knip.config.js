// Unused files, dependencies and exports fail `npm run lint` and `npm test`. Exports in a package's `exports` are
// public, except in packages that only this repository uses.
export default {
  // TypeScript finds these types next to plain JavaScript.
  ignoreFiles: ['testing/**/*.d.mts', 'architecture.config.d.ts'],
  // Compiled JSX calls these exports.
  ignoreIssues: { 'packages/web/src/islands/dom-jsx.ts': ['exports'] },
  // The server depends on it; the tests start it from node_modules.
  ignoreDependencies: ['@foundry-rs/anvil'],
  workspaces: {
    '.': {
      // package.json, other processes and the tests start these by name.
      entry: [
        'scripts/*.mjs',
        'action/*.mjs',
        'bench/*.mjs',
        'bench/support/{load,stall-probe}.mjs',
        'testing/issuer/standalone-issuer.mjs',
        'testing/beacon/main.mjs',
        'testing/calendar/calendar.mjs',
        'testing/machine/refuse-sockets.mjs',
        '{docs,vectors}/*.mjs',
      ],
      // The system provides these.
      ignoreBinaries: [
        'apt-get',
        'dpkg-deb',
        'dpkg-query',
        'go',
        'lintian',
        'mount',
        'openssl',
        'promtool',
        'sha256sum',
        'ssh-keygen',
        'systemd-analyze',
        'umount',
        'unshare',
      ],
      // Scripts read them from node_modules.
      ignoreDependencies: ['@ethereum-attestation-service/eas-contracts', 'typescript-native'],
    },
    'packages/cli': {
      // The system provides these.
      ignoreBinaries: ['openssl', 'script'],
    },
    'packages/sdk': { entry: ['examples/*.mjs'] },
    'packages/web': {
      // scripts/build-web.mjs bundles these; the worker runs in its own thread.
      entry: [
        'src/islands/{open,unseal,drafts,try}.tsx',
        'src/islands/{verify,copy,live,compose,files,blind,receipt-file,reference,times,dom-jsx}.ts',
      ],
      includeEntryExports: true,
      // Fonts are read as files.
      ignoreDependencies: ['@embedpdf/fonts-sc', '@fontsource(-variable)?/.+', 'dejavu-fonts-ttf'],
    },
    'packages/server': {
      // scripts/bundle-server.mjs bundles these; the last two run in their own threads.
      entry: ['bin/*.mjs', 'src/{main,devnet-main,admin/main,db/pglite-thread,etches/timelock-thread}.ts'],
    },
  },
};
