import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { Block, facts } from '@svc/web/parts/values';
import { isDevnet, type Page, type Site, SITE_NAME } from '@svc/web/site';
import { installLine } from '@svc/web/format';

interface AboutData {
  securityContact: string | undefined;
  /** null while the chain or the database is away */
  info: string | null;
}

export function aboutPage(site: Site, { securityContact, info }: AboutData): Page {
  return narrowPage(
    site,
    {
      title: 'About',
      heading: 'About this service',
      description: 'What this service is for, what its proofs rest on, and where to report a vulnerability.',
      lead: 'Write down a prediction or a fact. Later you can show that these words are from this account and this time, unchanged.',
      canonical: `${site.baseUrl}/about`,
      islands: ['copy.js'],
    },
    prose`
      ## What happens to an etch

      A text gets a time and a secret salt, and its hash goes into a tree whose root is attested on
      ${site.chain.name}. It is public at once, or sealed until a time that was set when it was written.
      Nobody can edit it. Its author can retract it: the words are erased, and a public tombstone stays.

      ## chain: What the proofs depend on

      ${
        isDevnet(site)
          ? 'This service runs on its own development chain. The operator can rewrite its history, so it proves nothing to anyone else.'
          : 'Proofs of anchored etches depend on SHA-256 and on the history of that chain. Anchoring takes about a minute; until then, you depend on the operator’s word.'
      }
      [Every check](/verify/how) can be made without us. No proof shows that a text is true, or who its author
      is.

      [svc.json](/.well-known/svc.json) names the chain, contract, schema, attesters and keys of this service.
      Paste it into a saved receipt page to get a verdict there.
      [What the values are for](/verify/how#chain)
    `,
    info !== null && (
      <pre class="receipt" tabindex={0} data-copy="svc.json">
        <code>{info}</code>
      </pre>
    ),
    prose`
      ## For agents and programs

      [Everything on one page](/llms.txt), [the API](/docs) and its [OpenAPI document](/api/v1/openapi.json).
      An agent registers with an Ed25519 key and nothing else.

      [The command line, the client for programs and the tools for agents](/install/) come from here:
    `,
    <Block tabindex={0}>{installLine(site.baseUrl)}</Block>,
    prose`
      ## security: Reporting a vulnerability

      ${
        securityContact
          ? say`Write to [${securityContact.replace(/^mailto:/, '')}](${securityContact}), in private:`
          : say`The operator has not published a contact (~SECURITY_CONTACT~). If you know them, tell them in private:`
      }
      what you did, what happened, and when.

      [What is stored, and what a retraction erases](/privacy). ${SITE_NAME} is free software that anybody can
      run.
    `,
  );
}

export function privacyPage(site: Site, eventsKeptDays: number): Page {
  return narrowPage(
    site,
    {
      title: 'Privacy',
      heading: 'What is stored, and what is erased',
      description: 'What this service stores, who sees it, and what a retraction erases.',
      lead: 'Etches are meant to stay. A retraction erases the words, but nothing erases the record that they existed.',
      canonical: `${site.baseUrl}/privacy`,
    },
    <h2>What is stored</h2>,
    facts(
      [
        'Etches',
        'the words with their salt, hash and times; its description, topic and author, which are public at once. The words of a sealed etch are encrypted until their time; the operator has the key.',
      ],
      ['On the chain', 'the roots of trees of hashes, permanently. No words, no names.'],
      [
        'Accounts',
        'name, public key or identity at the identity provider, follows, webhooks, and when the inbox was last marked as read.',
      ],
      ['API keys', 'SHA-256 hashes. A key is shown once, when it is made.'],
      [
        'Readers',
        'nothing. The service counts requests per IP address for up to an hour, to limit them; no log and no table contains the address.',
      ],
      [
        'In your browser',
        'drafts of what you write, until you etch or discard them (they are sent nowhere); cookies that sign you in, one that shows you a new key for two minutes, and one for the theme, if you chose one. No scripts from other sites.',
      ],
      [
        'Events',
        `what happened to an account’s etches, and the log of its webhooks, for ${eventsKeptDays} days.`,
      ],
    ),
    prose`
      ## What a retraction erases

      The words, the salt and the signature, at once and everywhere in this service. Without the salt nobody
      can find the words by guessing. These stay public: the hash, the description, the topic, the author, the
      dates, and an attested tombstone.

      ## What it cannot reach

      - Copies that others made while the words were public: receipts, exports, feeds, answers of webhooks, the
        archives of the web.
      - Free space in the files and the log of the database, until it is overwritten. The operator can
        overwrite it at any time.
      - Openings and blind seals: anyone who has such a file can open it from its time on.
      - Backups, for as long as the operator keeps them. A text that was still sealed when it was retracted is
        encrypted in them.
      - The chain, which has only hashes.

      [About this service](/about)
    `,
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
    'npx --no -- svc receipt "$id" --out receipt.json',
    'npx --no -- svc verify receipt.json',
  ].join('\n');

const Command = ({ children }: { children: string }) => (
  <pre tabindex={0}>
    <code data-copy="command">{children}</code>
  </pre>
);

interface InstallData {
  version: string;
  commit: string | null;
  tarballs: readonly Tarball[];
}

export function installPage(site: Site, { version, commit, tarballs }: InstallData): Page {
  return narrowPage(
    site,
    {
      title: 'Install',
      kind: 'prose',
      description: 'The command line, the client for programs and the tools for agents of this service.',
      lead: `Version ${version} of the command line, of the client for programs and of the tools for agents. They need Node.js 20.19 or newer and no registry.`,
      canonical: `${site.baseUrl}/install/`,
      alternates: [{ type: 'application/json', href: '/install/' }],
      islands: ['copy.js'],
    },
    <Command>{installLine(site.baseUrl)}</Command>,
    prose`
      npm puts the program into ~node_modules/.bin~, so ~npx --no~ runs it in the same folder. The first etch,
      from an account to a verified receipt, which proves the etch without this service:
    `,
    <Command>{firstEtch(site.baseUrl)}</Command>,
    prose`[The quickstart for agents](/docs/agents) goes on from there.`,
    tarballs.map(({ name, package: of, bytes, sha256, url, fixed_url: fixed }) => (
      <section>
        <h2 id={name}>{name}</h2>
        {prose`~${of}~: ${CONTENTS[of]}, ${Math.ceil(bytes / 1_000)} kB. SHA-256:`}
        <p>
          <code class="exact" data-copy="SHA-256">
            {sha256}
          </code>
        </p>
        {prose`[The newest](${url}); [exactly these bytes](${fixed}), for a lock file.`}
      </section>
    )),
    prose`
      ## Check it

      A program that this service serves is as trustworthy as the service. The build is reproducible: run
      ~npm run build~ at ${commit === null ? 'the same commit' : say`commit ~${commit}~`} and compare the sums
      with ~packages/server/dist/install/index.json~.
    `,
  );
}
