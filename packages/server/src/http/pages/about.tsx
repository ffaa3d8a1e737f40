import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { Block } from '@svc/web/parts/values';
import { isDevnet, type Page, type Site, SITE_NAME } from '@svc/web/site';
import { installLine } from '@svc/web/format';
import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';
import { serviceInfo } from '../public-files.ts';
import { siteFor } from './site.ts';

export function mountAboutPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/about', async (request) => aboutPage(siteFor(deps, request), await load(deps)));
}

interface AboutData {
  securityContact: string | undefined;
  /** null while the chain or the database is away */
  info: string | null;
}

async function load(deps: HttpDependencies): Promise<AboutData> {
  // The page also answers without chain and database.
  const info = await serviceInfo(deps).then(
    (value) => JSON.stringify(value, null, 2),
    () => null,
  );
  return { securityContact: deps.config.securityContact, info };
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
