import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { facts, fullHash } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { installLine } from '@svc/web/format';
import { UNTRANSLATED } from '@svc/web/untranslated';
import { Failure } from '../../platform/failure.ts';
import { wantsJson } from './send.ts';
import { BUILD, isDirty } from '../../settings/version.ts';
import { etagOf, isKnown } from '../representation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor } from './site.ts';

const require = createRequire(import.meta.url);

export function mountInstallPage(app: FastifyInstance, deps: HttpDependencies): void {
  let listed: InstallFile[] | undefined;
  const files = (): InstallFile[] => (listed ??= readList(`${deps.baseUrl}/install/`));

  app.get('/install', async (_request, reply) => reply.redirect('/install/', 308));
  app.get('/install/', async (request) => {
    const { version, commit } = BUILD;
    const tarballs = files().filter(({ name }) => name !== PROGRAM);
    const data = { version, commit, program: files().find(({ name }) => name === PROGRAM)!, tarballs };
    return wantsJson(request) ? data : installPage(siteFor(deps, request), data);
  });
  app.get<{ Params: { name: string } }>('/install/:name', async (request, reply) => {
    const { name } = request.params;
    const at = `${deps.baseUrl}/install/${name}`;
    const file = files().find(({ url, fixed_url }) => at === url || at === fixed_url);
    if (!file) throw new Failure('not_found', 'this service has no such file; /install/ lists its files');
    const etag = etagOf(file.sha256);
    void reply
      .header('Cache-Control', name === file.name ? 'no-cache' : 'public, max-age=31536000, immutable')
      .header('ETag', etag);
    if (isKnown(request, etag)) return reply.code(304).send();
    return reply
      .type(file.name === PROGRAM ? 'text/javascript; charset=utf-8' : 'application/gzip')
      .send(await readFile(require.resolve(`#install/${file.name}`)));
  });
}

/** `svc` in one file, which needs no npm. */
const PROGRAM = 'svc.mjs';

function readList(folder: string): InstallFile[] {
  let text: string;
  try {
    text = readFileSync(require.resolve('#install/index.json'), 'utf8');
  } catch {
    throw new Failure('not_found', 'this service was built without its programs; `npm run build` makes them');
  }
  return (JSON.parse(text) as Omit<InstallFile, 'url' | 'fixed_url'>[]).map((file) => ({
    ...file,
    url: folder + file.name,
    fixed_url: `${folder}${file.name.replace('.', `-${file.sha256.slice(0, 16)}.`)}`,
  }));
}

interface InstallFile {
  name: string;
  package: string;
  bytes: number;
  sha256: string;
  url: string;
  fixed_url: string;
}

const CONTENTS: Readonly<Record<string, string>> = {
  '@svc/cli': 'the command line, svc',
  '@svc/sdk': 'the client for programs, with types',
  '@svc/mcp': 'the tools for agents, svc-mcp',
};

const firstEtch = (baseUrl: string): string =>
  [
    `npx --no -- svc register --base-url ${baseUrl}`,
    `npx --no -- svc trust ${baseUrl}`,
    'id=$(npx --no -- svc etch "Rain on Sunday." --description "A forecast of rain" \\',
    '  --wait --field etch.id)',
    'npx --no -- svc receipt "$id" --out receipt.json',
    'npx --no -- svc verify receipt.json',
  ].join('\n');

const singleFile = (baseUrl: string): string =>
  [`curl -fsSO ${baseUrl}/install/${PROGRAM}`, `node ${PROGRAM} verify receipt.json`].join('\n');

const Command = ({ children }: { children: string }) => (
  <pre tabindex={0}>
    <code {...UNTRANSLATED} data-copy="command">
      {children}
    </code>
  </pre>
);

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

interface InstallData {
  version: string;
  commit: string | null;
  program: InstallFile;
  tarballs: readonly InstallFile[];
}

const fileFacts = ({ bytes, sha256, url, fixed_url: fixed }: InstallFile) =>
  facts(
    ['Size', sizeText(bytes)],
    ['SHA-256', fullHash(sha256, 'SHA-256')],
    ['Download', say`[Newest build](${url}) or [this build](${fixed})`],
  );

export function installPage(site: Site, { version, commit, program, tarballs }: InstallData): Page {
  return narrowPage(
    site,
    {
      title: 'Install',
      kind: 'prose',
      description: 'The command line, the client for programs and the tools for agents of this service.',
      lead: `Version ${version} of the command line, of the client for programs and of the tools for agents. They need Node.js 20.19 or newer, and no package registry.`,
      canonical: `${site.baseUrl}/install/`,
      alternates: [{ type: 'application/json', href: '/install/' }],
      islands: ['copy.js'],
    },
    <Command>{installLine(site.baseUrl)}</Command>,
    prose`
      npm puts the program into ~node_modules/.bin~, so ~npx --no~ runs it in the same folder. The first etch,
      from an account to a verified receipt:
    `,
    <Command>{firstEtch(site.baseUrl)}</Command>,
    prose`[The quickstart for agents](/docs/agents) goes on from there.`,
    tarballs.map((file) => (
      <section>
        <h2 id={file.name}>{file.name}</h2>
        {prose`~${file.package}~: ${CONTENTS[file.package]}.`}
        {fileFacts(file)}
      </section>
    )),
    <section>
      <h2 id={program.name}>{program.name}</h2>
      {prose`All of ~svc~ in one file, without npm. It needs only Node.js:`}
      <Command>{singleFile(site.baseUrl)}</Command>
      {fileFacts(program)}
    </section>,
    prose`
      ## Check it

      “Newest build” changes with each update of this service. “This build” is an address for lock files: it serves
      these bytes or nothing.

      A program that this service serves is as trustworthy as the service. ${
        commit !== null && isDirty(commit)
          ? 'This build has uncommitted changes, so it cannot be reproduced.'
          : say`
              The build is reproducible: run ~npm run build~ at ${
                commit === null ? 'the same commit' : say`commit ~${commit}~`
              } and compare the sums with ~packages/server/dist/install/index.json~.
            `
      }
    `,
  );
}
