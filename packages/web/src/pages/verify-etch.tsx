import type { Etch, Receipt, Verification } from '@svc/contract';
import { Narrow, renderPage } from '../layout.tsx';
import { Besides } from '../parts/besides.tsx';
import { BlindNote } from '../parts/blind-words.tsx';
import { Checks, NotChecked } from '../parts/checks.tsx';
import { commitsToFiles, FileDrop } from '../parts/file-drop.tsx';
import { ownRpc, trustFields, TrustForm } from '../parts/trust-form.tsx';
import type { Page, Site } from '../site.ts';
import { type Seen, seenText } from '../proven.ts';
import { takenDownFor } from '../taken-down.ts';
import { Time } from '../parts/values.tsx';

interface VerifyEtchBeside {
  etch: Etch;
  checks: Verification['checks'] | null;
  seen?: Seen | undefined;
  former?: readonly Receipt['chain'][];
}

/**
 * The verdict is the browser's. `checks` is the service's own finding, for readers without scripts; null while the
 * service never reached its chain.
 */
export function verifyEtchPage(site: Site, { etch, checks, seen, former = [] }: VerifyEtchBeside): Page {
  const [first] = former;
  const takenDown = takenDownFor(etch);
  return renderPage(
    site,
    {
      title: `Verify: ${etch.description}`,
      description: 'Re-hash the words, fold their proof, read the chain: in your own browser.',
      canonical: etch.verify_url,
      alternates: [{ type: 'application/json', href: `/api/v1/verify/${etch.id}` }],
      islands: ['verify.js', 'copy.js', 'times.js', ...(commitsToFiles(etch) ? (['files.js'] as const) : [])],
      section: '/verify',
      readsChain: true,
    },
    <Narrow heading="Verify an etch">
      <BlindNote site={site} etch={etch} />
      <section
        data-verify={`/api/v1/etches/${etch.id}/receipt`}
        data-opens={etch.status === 'sealed' ? etch.reveal_at : null}
        aria-labelledby="result"
      >
        <h2 class="visually-hidden" id="result">
          The verdict
        </h2>
        <div data-result="" role="status">
          <NotChecked>Your browser makes the checks once its script runs.</NotChecked>
        </div>
        <noscript>
          <ServiceFound checks={checks} />
          <p class="note">
            With scripts switched on, your own browser makes these checks and reads the chain itself. Without
            them:{' '}
            <a href={`/e/${etch.id}/receipt.html`} download={`receipt-${etch.code}.html`}>
              save the receipt
            </a>{' '}
            and run <code>svc verify</code>, or follow <a href="/verify/how">the rules by hand</a>.
          </p>
        </noscript>
        <TrustForm
          fields={trustFields(site.chain, ownRpc(site))}
          source="These are the values of this service. Compare them with a source that you trust, because the attester decides the verdict."
        />
      </section>
      {commitsToFiles(etch) && <FileDrop words={etch.content!} />}
      {first && (
        <p class="note">
          First attested on {first.name} (chain {first.chain_id}) at{' '}
          <Time at={first.anchored_at!} precision="seconds" />. The service left that chain.{' '}
          <a href={`/api/v1/etches/${etch.id}/evidence`}>The evidence</a> proves that time by a hash of its
          block: <code>svc verify --former</code>.
        </p>
      )}
      {takenDown !== null && (
        <p class="note">
          The operator of this service took the words down, because {takenDown}. A receipt shows that words
          were erased, not by whom. Only this service says that.
        </p>
      )}
      <Besides etch={etch} said="This service shows it next to the words. No check covers it." />
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
            <a href="/verify/how">How verification works</a> explains each step.
          </li>
          {seen && (
            <li>
              {seenText(seen)} This service says so. <a href="/verify/how#log">Check it</a> on the command
              line.
            </li>
          )}
        </ul>
      </section>
    </Narrow>,
  );
}

/** The service's word about itself must not look like a verdict. */
function ServiceFound({ checks }: { checks: Verification['checks'] | null }) {
  return (
    <div class="result none">
      <h2>What this service says that it found</h2>
      {checks ? (
        <Checks checks={checks} />
      ) : (
        <p>
          The chain cannot be reached at the moment, so nothing was read from it. The etch and its hash are
          stored; what was anchored stays anchored.
        </p>
      )}
    </div>
  );
}
