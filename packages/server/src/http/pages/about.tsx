import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { atTime, Block, facts, fullHash, safe } from '@svc/web/parts/values';
import { isDevnet, type Page, type Site, SITE_NAME } from '@svc/web/site';
import { countText, installLine } from '@svc/web/format';
import type { FastifyInstance } from 'fastify';
import { listOfficialAccounts, type OfficialAccount } from '../../accounts/official.ts';
import { lastAuditAt } from '../../records/audit-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { serviceInfo } from '../public-files.ts';
import { siteFor } from './site.ts';

export function mountAboutPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/about', async (request) => aboutPage(siteFor(deps, request), await load(deps)));
}

interface AboutData {
  securityContact: string | undefined;
  operator: Operator;
  /** null while the chain or the database is away */
  info: string | null;
}

async function load(deps: HttpDependencies): Promise<AboutData> {
  // The page also answers without chain and database.
  const info = await serviceInfo(deps).then(
    (value) => JSON.stringify(value, null, 2),
    () => null,
  );
  return { securityContact: deps.config.securityContact, operator: await operatorOf(deps), info };
}

/** Only what the operator configured. */
interface Operator {
  name?: string | undefined;
  /** null while the database is away */
  accounts: readonly OfficialAccount[] | null;
  witnesses: readonly string[];
  /** hosts of OpenTimestamps calendars */
  calendars: readonly string[];
  authorities: number;
  /** time of the last audit of all accounts, if it passed */
  audited?: string | undefined;
}

async function operatorOf({ db, config, clock, lastAudit }: HttpDependencies): Promise<Operator> {
  return {
    name: config.operatorName,
    accounts: await listOfficialAccounts(db, config.officialAccounts).catch(() => null),
    witnesses: (config.witnessPolicy?.witnesses ?? []).map(({ name }) => name),
    calendars: (config.otsCalendars || []).map((url) => new URL(url).host),
    authorities: config.secrets.tsaUrls?.length ?? 0,
    audited: await lastAuditAt(lastAudit, clock.now()),
  };
}

export function aboutPage(site: Site, { securityContact, operator, info }: AboutData): Page {
  return narrowPage(
    site,
    {
      title: 'About',
      heading: 'About this service',
      description: 'What this service is for, what its proofs rest on, and where to report a vulnerability.',
      lead: 'Write down a prediction or a fact. Later you can show that exactly these words were on the record of your account by that time.',
      canonical: `${site.baseUrl}/about`,
      islands: ['copy.js', 'times.js'],
    },
    prose`
      ## operator: Who runs this service, and how to check them

      The operator can stop this service, can erase words, and has the key of sealed words, except in blind seals.
      ${!isDevnet(site) && 'The operator cannot change an anchored text or its time unnoticed.'}
    `,
    facts(
      ['Operator', operator.name !== undefined && safe(operator.name)],
      ['Runs at', new URL(site.baseUrl).host],
      ['Accounts of the operator', !!operator.accounts?.length && accountsOf(operator.accounts)],
      ['Contact', securityContact && contactLink(securityContact)],
      ['Chain', [site.chain.name, isDevnet(site) && ', which the operator runs']],
      ['Contract', fullHash(site.chain.contract)],
      ['Attested by', fullHash(site.chain.relayer)],
      [
        'Witnesses',
        operator.witnesses.length > 0
          ? [operator.witnesses.join(', '), say`: they cosign the [log of trees](/status).`]
          : 'No witness cosigns the log of trees.',
      ],
      ['Time stamps', timeStampText(operator)],
      [
        'Last audit of all accounts',
        operator.audited !== undefined && [
          'The operator says that it passed on ',
          atTime(operator.audited),
          '.',
        ],
      ],
      ['Not published', unpublished(operator, securityContact)],
      ['What the operator did', say`The operator’s own log [counts takedowns and suspensions](/status).`],
    ),
    <p>
      {say`
        Anyone can audit an account: the command compares its record with every anchored tree, and names what was
        changed or left out. [What an audit proves](/docs/audit)
      `}
    </p>,
    <Block tabindex={0}>{`svc audit <username> --base-url ${site.baseUrl}`}</Block>,
    prose`
      ## What happens to an etch

      A text gets a time and a secret salt, and its hash goes into a tree whose root is attested on
      ${site.chain.name}. It is public at once, or sealed until a time that was set when it was written.
      No account can edit it. Its author can retract it: the words are erased, and a public tombstone stays.

      ## chain: What the proofs depend on

      ${
        isDevnet(site)
          ? 'This service runs on its own development chain. The operator can rewrite its history, so it proves nothing to anyone else.'
          : 'Proofs of anchored etches depend on SHA-256 and on the history of that chain. Until an etch is anchored, you depend on the operator’s word.'
      }
      You can make [every check](/verify/how) without this service. No proof shows that a text is true, or who its author
      is.

      [svc.json](/.well-known/svc.json) names the chain, contract, schema, attesters and keys of this service.
      Paste it into a saved receipt page to get a verdict there.
      [What the values are for](/verify/how#chain)
    `,
    info !== null && (
      <details>
        <summary>The content of svc.json</summary>
        <pre class="receipt" tabindex={0} data-copy="svc.json">
          <code>{info}</code>
        </pre>
      </details>
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
          ? say`Write to ${contactLink(securityContact)}, in private:`
          : say`The operator has not published a contact. If you know the operator, write in private:`
      }
      what you did, what happened, and when.

      [What is stored, and what a retraction erases](/privacy). ${SITE_NAME} is free software that anyone can run.
    `,
  );
}

const contactLink = (contact: string) => <a href={contact}>{contact.replace(/^mailto:/, '')}</a>;

const accountsOf = (accounts: readonly OfficialAccount[]) =>
  accounts.map(({ username, display_name: name }, at) => [
    at > 0 && ', ',
    <a href={`/u/${username}`}>
      {safe(name)} @{username}
    </a>,
  ]);

const unpublished = ({ name, accounts, audited }: Operator, contact: string | undefined): string =>
  [
    name === undefined && 'the operator’s name',
    accounts?.length === 0 && 'accounts that speak for it',
    !contact && 'a contact',
    audited === undefined && 'an audit of all accounts',
  ]
    .filter(Boolean)
    .join(', ');

function timeStampText({ calendars, authorities }: Operator): string {
  const parts = [
    authorities > 0 && countText(authorities, 'time-stamping authority', 'time-stamping authorities'),
    calendars.length > 0 && `OpenTimestamps by ${calendars.join(', ')}`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join(', and ')}.` : 'None. Only the chain has a time.';
}
