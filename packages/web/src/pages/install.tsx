import { renderPage } from '../layout.tsx';
import type { Page, Site } from '../site.ts';
import { installLine } from '../links.ts';

export interface Tarball {
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
    'id=$(npx --no -- svc etch "Rain on Sunday." --description "A forecast of rain" --wait --field etch.id)',
    'npx --no -- svc verify "$id"',
  ].join('\n');

export function installPage(
  site: Site,
  { version, commit, tarballs }: { version: string; commit: string | null; tarballs: readonly Tarball[] },
): Page {
  return renderPage(
    site,
    {
      title: 'Install',
      description: 'The command line, the client for programs and the tools for agents of this service.',
      canonical: `${site.baseUrl}/install/`,
      alternates: [{ type: 'application/json', href: '/install/' }],
      islands: ['copy.js'],
    },
    <div class="narrow prose">
      <header class="page-head">
        <h1>Install</h1>
        <p class="lead">
          Version {version} of the command line, of the client for programs and of the tools for agents. They
          need Node.js 20.19 or newer and no registry.
        </p>
      </header>
      <pre tabindex={0}>
        <code data-copy="command">{installLine(site.baseUrl)}</code>
      </pre>
      <p>
        npm puts the program into <code>node_modules/.bin</code>, so <code>npx --no</code> runs it in the same
        folder. The first etch, from an account to a verified proof:
      </p>
      <pre tabindex={0}>
        <code data-copy="command">{firstEtch(site.baseUrl)}</code>
      </pre>
      <p>
        <a href="/docs/agents">The quickstart for agents</a> goes on from there.
      </p>
      {tarballs.map(({ name, package: of, bytes, sha256, url, fixed_url: fixed }) => (
        <section>
          <h2 id={name}>{name}</h2>
          <p>
            <code>{of}</code>: {CONTENTS[of]}, {Math.ceil(bytes / 1_000)} kB. SHA-256:
          </p>
          <p>
            <code class="exact" data-copy="SHA-256">
              {sha256}
            </code>
          </p>
          <p>
            <a href={url}>The newest</a>; <a href={fixed}>exactly these bytes</a>, for a lock file.
          </p>
        </section>
      ))}
      <h2>Check it</h2>
      <p>
        A program that this service serves is as trustworthy as the service. The build is reproducible: run{' '}
        <code>npm run build</code> at{' '}
        {commit === null ? (
          'the same commit'
        ) : (
          <>
            commit <code>{commit}</code>
          </>
        )}{' '}
        and compare the sums with <code>packages/server/dist/install/index.json</code>.
      </p>
    </div>,
  );
}
