import { Narrow, renderPage } from '../layout.tsx';
import { isDevnet, type Page, type Site, SITE_NAME } from '../site.ts';
import { Block } from '../parts/values.tsx';
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
