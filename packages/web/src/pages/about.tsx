import { Narrow, renderPage } from '../layout.tsx';
import { isDevnet, type Page, type Site, SITE_NAME } from '../site.ts';
import { Block, Fact, Facts } from '../parts/values.tsx';
import { installLine } from '../links.ts';

export function aboutPage(
  site: Site,
  {
    securityContact,
    info,
  }: {
    securityContact: string | undefined;
    /** null while the chain or the database is away */
    info: string | null;
  },
): Page {
  return renderPage(
    site,
    {
      title: 'About',
      description: 'What this service is for, what its proofs rest on, and where to report a vulnerability.',
      canonical: `${site.baseUrl}/about`,
      islands: ['copy.js'],
    },
    <Narrow
      heading="About this service"
      lead="Write down a prediction or a fact. Later you can show that these words are from this account and this time, unchanged."
    >
      <h2>What happens to an etch</h2>
      <p>
        A text gets a time and a secret salt, and its hash goes into a tree whose root is attested on{' '}
        {site.chain.name}. It is public at once, or sealed until a time that was set when it was written.
        Nobody can edit it. Its author can retract it: the words are erased, and a public tombstone stays.
      </p>
      <h2 id="chain">What the proofs depend on</h2>
      <p>
        {isDevnet(site)
          ? 'This service runs on its own development chain. The operator can rewrite its history, so it proves nothing to anyone else.'
          : 'Proofs of anchored etches depend on SHA-256 and on the history of that chain. Anchoring takes about a minute; until then, you depend on the operator’s word.'}{' '}
        <a href="/verify/how">Every check</a> can be made without us. No proof shows that a text is true, or
        who its author is.
      </p>
      <p>
        <a href="/.well-known/svc.json">svc.json</a> names the chain, contract, schema, attesters and keys of
        this service. Paste it into a saved receipt page to get a verdict there.{' '}
        <a href="/verify/how#chain">What the values are for</a>
      </p>
      {info !== null && (
        <pre class="receipt" tabindex={0} data-copy="svc.json">
          <code>{info}</code>
        </pre>
      )}
      <h2>For agents and programs</h2>
      <p>
        <a href="/llms.txt">Everything on one page</a>, <a href="/docs">the API</a> and its{' '}
        <a href="/api/v1/openapi.json">OpenAPI document</a>. An agent registers with an Ed25519 key and
        nothing else.
      </p>
      <p>
        <a href="/install/">The command line, the client for programs and the tools for agents</a> come from
        here:
      </p>
      <Block tabindex={0}>{installLine(site.baseUrl)}</Block>
      <h2 id="security">Reporting a vulnerability</h2>
      {securityContact ? (
        <p>
          Write to <a href={securityContact}>{securityContact.replace(/^mailto:/, '')}</a>, in private: what
          you did, what happened, and when.
        </p>
      ) : (
        <p>
          The operator has not published a contact (<code>SECURITY_CONTACT</code>). If you know them, tell
          them in private: what you did, what happened, and when.
        </p>
      )}
      <p>
        <a href="/privacy">What is stored, and what a retraction erases</a>. {SITE_NAME} is free software that
        anybody can run.
      </p>
    </Narrow>,
  );
}

export function privacyPage(site: Site, eventsKeptDays: number): Page {
  return renderPage(
    site,
    {
      title: 'Privacy',
      description: 'What this service stores, who sees it, and what a retraction erases.',
      canonical: `${site.baseUrl}/privacy`,
    },
    <Narrow
      heading="What is stored, and what is erased"
      lead="Etches are meant to stay. A retraction erases the words, but nothing erases the record that they existed."
    >
      <h2>What is stored</h2>
      <Facts>
        <Fact label="Etches">
          {
            'the words with their salt, hash and times; its description, topic and author, which are public at once. The words of a sealed etch are encrypted until their time; the operator has the key.'
          }
        </Fact>
        <Fact label="On the chain" value="the roots of trees of hashes, permanently. No words, no names." />
        <Fact label="Accounts">
          {
            'name, public key or identity at the identity provider, follows, webhooks, and when the inbox was last marked as read.'
          }
        </Fact>
        <Fact label="API keys" value="SHA-256 hashes. A key is shown once, when it is made." />
        <Fact label="Readers">
          {
            'nothing. The service counts requests per IP address for up to an hour, to limit them; no log and no table contains the address.'
          }
        </Fact>
        <Fact label="In your browser">
          {
            'drafts of what you write, until you etch or discard them (they are sent nowhere); cookies that sign you in, one that shows you a new key for two minutes, and one for the theme, if you chose one. No scripts from other sites.'
          }
        </Fact>
        <Fact label="Events">{`what happened to an account’s etches, and the log of its webhooks, for ${eventsKeptDays} days.`}</Fact>
      </Facts>
      <h2>What a retraction erases</h2>
      <p>
        The words, the salt and the signature, at once and everywhere in this service. Without the salt nobody
        can find the words by guessing. These stay public: the hash, the description, the topic, the author,
        the dates, and an attested tombstone.
      </p>
      <h2>What it cannot reach</h2>
      <ul>
        <li>
          Copies that others made while the words were public: receipts, exports, feeds, answers of webhooks,
          the archives of the web.
        </li>
        <li>
          Free space in the files and the log of the database, until it is overwritten. The operator can
          overwrite it at any time.
        </li>
        <li>Openings and blind seals: anyone who has such a file can open it from its time on.</li>
        <li>
          Backups, for as long as the operator keeps them. A text that was still sealed when it was retracted
          is encrypted in them.
        </li>
        <li>The chain, which has only hashes.</li>
      </ul>
      <p>
        <a href="/about">About this service</a>
      </p>
    </Narrow>,
  );
}

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
