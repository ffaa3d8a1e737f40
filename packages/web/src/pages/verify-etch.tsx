import type { Etch, Verification } from '@svc/contract';
import { pathToRoot } from '@svc/verifier';
import type { VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { Checks, Overall } from '../parts/checks.tsx';
import { ProofPath } from '../parts/proof-path.tsx';
import { Text } from '../parts/text.tsx';
import { TrustForm } from '../parts/trust-form.tsx';
import { standingOf } from '../proven.ts';
import { isDevnet, type Page, type Site } from '../site.ts';
import { ownRpc, trustFields } from '../trust-fields.ts';
import { overallOf } from '../overall.ts';

/** `checks` is null when this service cannot say what to trust because it never reached its chain. */
export function verifyEtchPage(
  site: Site,
  { etch, checks }: { etch: Etch; checks: Verification['checks'] | null },
): Page {
  const standing = standingOf(etch, { devnet: isDevnet(site), anchorSeconds: site.anchorSeconds });
  return renderPage(
    site,
    {
      title: `Verify: ${etch.description}`,
      description: `Re-hash it, fold its proof, read the chain. ${standing.headline}.`,
      canonical: etch.verify_url,
      alternates: [{ type: 'application/json', href: `/api/v1/verify/${etch.id}` }],
      islands: ['verify.js', 'copy.js'],
      section: '/verify',
      readsChain: true,
    },
    <div class="narrow">
      <header class="page-head">
        <p class="card-top quiet">Verification</p>
        <h1>
          <a class="plain" href={`/e/${etch.id}`}>
            <Text>{etch.description}</Text>
          </a>
        </h1>
        <p class="lead">{standing.headline}.</p>
      </header>
      <section data-verify={`/api/v1/etches/${etch.id}/receipt`} aria-labelledby="result">
        <h2 id="result">The three checks</h2>
        <div data-result="" role="status">
          {checks ? (
            <>
              <Overall
                verdict={overallOf(checks)}
                by="Checked by this service itself, with the program that a stranger would run."
              />
              <Checks checks={checks} />
            </>
          ) : (
            <p class="overall wait" data-overall="wait">
              <span>
                The chain cannot be reached at the moment, so nothing was read from it. The etch and its hash
                are stored; what was anchored stays anchored.
              </span>
            </p>
          )}
        </div>
        <noscript>
          <p class="note">
            With scripts switched on, your own browser repeats these checks and reads the chain itself.
            Without them:{' '}
            <a href={`/e/${etch.id}/receipt.html`} download={`receipt-${etch.code}.html`}>
              save the receipt
            </a>{' '}
            and run <code>svc verify</code>, or follow <a href="/verify">the rules by hand</a>.
          </p>
        </noscript>
        <Path etch={etch} />
        <TrustForm
          fields={trustFields(site.chain, ownRpc(site))}
          source="Filled in with what this service says of itself. Compare it with what you know from elsewhere: whoever names the attester decides what is true."
        />
      </section>
      <section>
        <h2>Without this page</h2>
        <ul>
          <li>
            <a href={`/e/${etch.id}/receipt.html`} download={`receipt-${etch.code}.html`}>
              The receipt as one file
            </a>{' '}
            opens from disk, for years, and checks itself.
          </li>
          <li>
            <a href={`/api/v1/etches/${etch.id}/receipt`}>The receipt as data</a>, for <code>svc verify</code>{' '}
            or a program of your own.
          </li>
          <li>
            <a href="/verify">How to verify without us</a> says what each step does.
          </li>
        </ul>
      </section>
    </div>,
  );
}

function Path({ etch: { chain, author, hash } }: { etch: Etch }): VNode {
  return (
    <figure class="path-figure" data-path="" hidden={chain.proof === null}>
      {chain.proof && chain.root && chain.tree_version && (
        <ProofPath
          path={pathToRoot(chain.tree_version, author.user_id, hash, chain.proof)}
          proof={chain.proof}
          root={chain.root}
        />
      )}
      <figcaption>From the leaf of this etch at the bottom to the root that the chain holds.</figcaption>
    </figure>
  );
}
