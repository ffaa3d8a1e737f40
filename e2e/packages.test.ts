import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalRegistry } from '../testing/machine/local-registry.ts';
import { install, type Place, PUBLISHED, release, runAlone, SCOPE } from '../testing/machine/packed.ts';
import type { LocalServer } from '../testing/machine/server.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { ends } from '../testing/clients/ends.ts';

const root = join(import.meta.dirname, '..');
const NOBODY = 65_534;

const COMPILERS = ['typescript-native', ...(AT_FULL_COUNT ? ['typescript'] : [])];
const RESOLUTIONS = ['nodenext', ...(AT_FULL_COUNT ? ['bundler'] : [])];
/** An ordinary user may do less than root. Full count uses root too. */
const READERS: readonly [string, number | undefined][] = [
  ...(process.getuid?.() === 0 ? [['an ordinary user', NOBODY] as [string, number]] : []),
  ...(process.getuid?.() !== 0 || AT_FULL_COUNT
    ? [['whoever runs the tests', undefined] as [string, undefined]]
    : []),
];
const STRICTEST = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
  types: [],
};
const STRICT = `import type { Operations } from '${SCOPE}/contract/types';
import { parseReceipt } from '${SCOPE}/protocol';
import { createClient } from '${SCOPE}/sdk';
import type { Etch, EtchBody, Event } from '${SCOPE}/sdk';
import { overall } from '${SCOPE}/verifier';
${AT_FULL_COUNT ? `export { ROUTES } from '${SCOPE}/contract';` : ''}

const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
export const shown = (etch: Etch): string =>
  etch.status === 'revealed' ? etch.content : etch.status === 'sealed' ? etch.reveal_at : etch.retracted_at;
export const about = (event: Event): string =>
  'challenge' in event.data ? event.data.challenge.question : event.data.etch.hash;
const common = { content: 'Rain.', description: 'Weather', category_id: 'personal' } as const;
export const bodies: EtchBody[] = [
  { ...common, mode: 'instant' },
  { ...common, mode: 'delayed', reveal_at: '2030-01-01T00:00:00Z' },
  // @ts-expect-error an instant etch has no reveal time
  { ...common, mode: 'instant', reveal_at: '2030-01-01T00:00:00Z' },
  // @ts-expect-error a delayed one has its own
  { ...common, mode: 'delayed' },
];
export const made = async (body: EtchBody): Promise<string> => (await client.etch(body)).etch.url;
export const read = [parseReceipt, overall];
export const hook: Operations['createWebhook']['body'] = { url: 'https://hooks.example.org/svc' };
`;

let registry: LocalServer;

/** The compiler leaves the output of a removed source. */
const STALE = 'protocol/dist/gone.js';

beforeAll(async () => {
  writeFileSync(join(root, 'packages', STALE), 'export {};\n');
  const { tarballs } = await release().finally(() => rmSync(join(root, 'packages', STALE)));
  registry = await startLocalRegistry(tarballs);
});
afterAll(() => registry?.stop());

const run = (place: Place, program: string, args: string[], input = '') =>
  runAlone(place, program, args, { input, registry: registry.url });
const project = (names: string[], uid?: number) =>
  install(names, registry.url, uid === undefined ? {} : { uid });

function beneath(folder: string): string[] {
  const modules = join(folder, 'node_modules');
  const names = (path: string): string[] => {
    try {
      return readdirSync(path).filter((name) => !name.startsWith('.'));
    } catch {
      return [];
    }
  };
  const found = names(modules).flatMap((name) =>
    name.startsWith('@') ? names(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return [...found, ...found.flatMap((name) => beneath(join(modules, name)))];
}

const script = (place: Place, source: string) =>
  run(place, process.execPath, ['--input-type=module', '-e', source]);

test('the verifier depends on @noble packages only and checks a receipt', async () => {
  const place = await project([`${SCOPE}/verifier`]);
  expect(beneath(place.folder).sort()).toEqual([
    '@noble/ciphers',
    '@noble/curves',
    '@noble/hashes',
    '@noble/post-quantum',
    `${SCOPE}/protocol`,
    `${SCOPE}/verifier`,
  ]);
  copyFileSync(join(root, 'vectors/valid/receipt-instant.json'), join(place.folder, 'vector.json'));
  const ran = await script(
    place,
    `import { readFileSync } from 'node:fs';
     import { overall, verifyReceipt } from '${SCOPE}/verifier';
     const { receipt } = JSON.parse(readFileSync('vector.json', 'utf8'));
     const { chain } = receipt;
     const trust = { chainId: chain.chain_id, contract: chain.attestation_contract,
       schemaUid: chain.schema_uid, relayers: [chain.relayer] };
     const unread = { attestation: async () => ({ kind: 'unreachable', reason: 'nobody asked' }) };
     const verification = await verifyReceipt(receipt, trust, unread);
     console.log(overall(verification), verification.checks.map(({ verdict }) => verdict).join());`,
  );
  expect(ran, ran.err).toMatchObject({ status: 0, out: 'wait pass,pass,wait\n' });
});

describe.each(READERS)('installed by %s', (_, uid) => {
  let place: Place;
  beforeAll(async () => {
    place = await project(
      ['sdk', 'cli', 'mcp', 'contract'].map((name) => `${SCOPE}/${name}`),
      uid,
    );
  });

  test('contains only the published packages of ours', () => {
    const ours = beneath(place.folder).filter((name) => name.startsWith('@svc/') || name.startsWith(SCOPE));
    expect(existsSync(join(place.folder, 'node_modules', SCOPE, STALE))).toBe(false);
    expect(ours.sort()).toEqual(PUBLISHED.map((name) => `${SCOPE}/${name}`).sort());
    for (const name of PUBLISHED) {
      const files = readdirSync(join(place.folder, 'node_modules', SCOPE, name));
      expect(files, name).toEqual(expect.arrayContaining(['dist', 'package.json', 'README.md', 'LICENSE']));
      expect(readdirSync(join(place.folder, 'node_modules', SCOPE, name, 'dist'))).not.toContain(
        '.tsbuildinfo',
      );
      expect(files, name).not.toContain('test');
    }
  });

  test('loads the libraries', async () => {
    const ran = await script(
      place,
      `const [protocol, contract, sdk] = await Promise.all(
         ['protocol', 'contract', 'sdk'].map((name) => import('${SCOPE}/' + name)));
       const pair = sdk.generateKeyPair();
       console.log(protocol.isStrictPublicKey(pair.publicKey), contract.ROUTES.createEtch.method,
         typeof sdk.createClient({ baseUrl: 'http://127.0.0.1:9' }).etch);`,
    );
    expect(ran, ran.err).toMatchObject({ status: 0, out: 'true POST function\n' });
  });

  test.each(COMPILERS.flatMap((name) => RESOLUTIONS.map((resolution) => [resolution, name])))(
    'types stand under the strictest settings, resolved as %s by %s',
    async (resolution, compiler) => {
      writeFileSync(join(place.folder, 'strict.ts'), STRICT);
      const settings = {
        compilerOptions: {
          ...STRICTEST,
          module: resolution === 'nodenext' ? 'nodenext' : 'esnext',
          moduleResolution: resolution,
        },
        files: ['strict.ts'],
      };
      writeFileSync(join(place.folder, 'tsconfig.json'), JSON.stringify(settings));
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      const ran = await run({ folder: place.folder }, process.execPath, [tsc, '-p', '.']);
      expect(ran).toEqual({ status: 0, out: '', err: '' });
    },
  );

  test('bundles the client for a browser', async () => {
    const { metafile, outputFiles } = await build({
      absWorkingDir: place.folder,
      stdin: {
        contents: `export { createClient } from '${SCOPE}/sdk'; export { verifyReceipt } from '${SCOPE}/verifier';`,
        resolveDir: place.folder,
      },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const validator = /typebox|\/contract\/(?!dist\/tables\.js)/;
    expect(Object.keys(metafile.inputs).filter((path) => validator.test(path))).toEqual([]);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(outputFiles[0]!.text).not.toMatch(/\bprocess\.|\bBuffer\./);
  });

  test('runs svc', async () => {
    const receipt = JSON.parse(
      readFileSync(join(root, 'vectors/valid/receipt-instant.json'), 'utf8'),
    ).receipt;
    mkdirSync(join(place.folder, 'kept'), { recursive: true });
    const file = join(place.folder, 'kept', 'receipt.json');
    writeFileSync(file, JSON.stringify(receipt));
    const svc = (...args: string[]) => run(place, join(place.folder, 'node_modules/.bin/svc'), args);
    await ends(svc('verify', file, '--offline'), 2, { out: 'AGREES  The words: match' });
    expect((await svc('--help')).out).toContain('audit');
    expect((await svc('keygen')).out).toMatch(/[0-9a-f]{64}/);
    // Only this command loads the sign-in library.
    await ends(svc('login', '--base-url', 'http://127.0.0.1:9', '--issuer', 'http://127.0.0.1:9'), 77, {
      err: 'signing in at http://127.0.0.1:9 failed',
    });
  });

  test('runs svc-mcp', async () => {
    const message = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const hello = message(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    const ran = await run(
      place,
      join(place.folder, 'node_modules/.bin/svc-mcp'),
      [],
      hello +
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n` +
        message(2, 'tools/list', {}),
    );
    expect(ran.out, ran.err).toContain('"serverInfo"');
    expect(ran.out).toContain('"retract"');
  });
});
