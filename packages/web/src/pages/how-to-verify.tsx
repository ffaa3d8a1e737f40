import { CANONICAL_TAG, etchSignedString } from '@svc/protocol';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { VNode } from 'preact';
import { renderPage } from '../layout.tsx';
import { Facts } from '../parts/facts.tsx';
import { Hash } from '../parts/hash.tsx';
import { TryIt } from '../parts/try-it.tsx';
import { TrustForm } from '../parts/trust-form.tsx';
import { Way } from '../parts/way.tsx';
import type { Page, Site } from '../site.ts';
import { spanText } from '../time-text.ts';
import type { TryExample } from '../try-example.ts';
import { ownRpc, trustFields } from '../trust-fields.ts';

/** `example`: words to try it on. */
export function howToVerifyPage(site: Site, example: TryExample): Page {
  return renderPage(
    site,
    {
      title: 'How to verify without us',
      description:
        'Check a receipt in your browser, on the command line or by hand: re-hash the words, fold the proof, read the chain. No step needs this service.',
      canonical: `${site.baseUrl}/verify`,
      islands: ['verify.js', 'try.js', 'copy.js'],
      section: '/verify',
      readsChain: true,
    },
    <div class="narrow prose">
      <header class="page-head">
        <h1>How to verify without us</h1>
        <p class="lead">
          A receipt holds everything that a check needs, except the one thing that must come from elsewhere:
          the chain. Three checks decide, and none of them asks this service.
        </p>
      </header>
      <DropZone site={site} />
      <Way />
      <TryIt example={example} />
      <Words />
      <Batch />
      <ChainCheck site={site} />
      <TimeStamp />
      <Verdicts />
      <ByCommand />
      <Trusted />
    </div>,
  );
}

/** The rule of the canonical string, with names in place of values. */
const SIGNED = etchSignedString('<author id>', '').replace(/[^|]*$/, '<sha256 of the words>');

function DropZone({ site }: { site: Site }): VNode {
  return (
    <section data-verify="" aria-labelledby="check-a-receipt">
      <h2 id="check-a-receipt">Check a receipt here</h2>
      <p>
        The file stays on your machine: your browser does the checking, and asks the chain for the attestation
        and nothing else; of evidence it asks for the hash of a block alone, or nobody when you enter that.
      </p>
      <div class="drop" data-drop="" hidden>
        <label for="receipt-file">Drop a receipt or evidence here, or choose the file</label>
        <input id="receipt-file" type="file" accept=".json,.html,application/json,text/html" />
      </div>
      <noscript>
        <p class="note">
          This needs scripts, which are switched off. <a href="#command">The command line</a> does the same,
          and a saved receipt page checks itself wherever scripts are on.
        </p>
      </noscript>
      <div data-result="" role="status"></div>
      <TrustForm
        takesEvidence
        judgesTimeStamps
        fields={trustFields(site.chain, ownRpc(site))}
        source="Filled in with what this service says of itself. A receipt that names others gets no verdict until you enter the values that you trust."
      />
    </section>
  );
}

function Words(): VNode {
  return (
    <section aria-labelledby="words">
      <h2 id="words">1. The words</h2>
      <p>
        Author, time, salt and words are written in one line, and its SHA-256 is the hash that was published.
        The rule is fixed for ever:
      </p>
      <pre>
        <code>{`hash = sha256( ${CANONICAL_TAG}|<author id>|<time>|<salt>|<words> )`}</code>
      </pre>
      <p>
        The receipt holds that line as <code>canonical_string</code>. Hash its UTF-8 bytes, exactly as they
        are, and compare. On most machines:
      </p>
      <pre>
        <code>jq -j .canonical_string receipt.json | sha256sum</code>
      </pre>
      <p>
        While an etch is sealed its line is hidden, and the salt keeps everyone from guessing it. After a
        retraction line and salt are gone. Both times this check has nothing to look at, which is no fault.
      </p>
      <p>
        If the author signed, the Ed25519 signature stands over <code>{SIGNED}</code>.
      </p>
    </section>
  );
}

function Batch(): VNode {
  return (
    <section aria-labelledby="batch">
      <h2 id="batch">2. The batch</h2>
      <p>
        Many hashes share one entry on the chain. They are the leaves of a tree, and the proof is the way from
        one leaf to the root: at each step the hash so far is joined with its sibling, the smaller first, and
        hashed again.
      </p>
      <pre>
        <code>
          {'leaf = sha256( 0x00 || author id, 16 bytes || hash )   (tree version 2)\n'}
          {'leaf = sha256( 0x00 || hash )                          (tree version 1)\n'}
          {'node = sha256( 0x01 || smaller || larger )'}
        </code>
      </pre>
      <p>
        Start with the leaf, fold in each hash of <code>inclusion.proof</code>, and the result must be{' '}
        <code>inclusion.root</code>. In version 2 the author is in the leaf and{' '}
        <a href="/api/v1/batches">every tree is public</a>: an etch anchored so cannot be left out of a record
        unnoticed. <code>svc audit</code> compares a record with what the chain holds.
      </p>
      <p>
        A retracted etch is folded once more, into a tree of tombstones. That one counts only with an
        attestation of <code>kind</code> 1 of its own.
      </p>
    </section>
  );
}

function ChainCheck({ site }: { site: Site }): VNode {
  const { chain } = site;
  return (
    <section aria-labelledby="chain">
      <h2 id="chain">3. The chain</h2>
      <p>
        The root is written to an attestation contract (EAS). Ask any node of the chain for{' '}
        <code>getAttestation(attestation_uid)</code>. Five things must fit: the contract, the schema, the
        attester, data that begins with the root, and a time that is not before the stated time of writing. If
        it is at most {spanText(LATE_AFTER_MILLISECONDS)} after it, the stated time itself is proven; if it is
        later, the later time is.
      </p>
      <p>
        Anyone can attest anything, so the attester decides. Compare these values with what you know from
        elsewhere, for a receipt can name whatever it likes:
      </p>
      <Facts
        facts={[
          { label: 'Chain', value: chain.id === null ? chain.name : `${chain.name}, id ${chain.id}` },
          { label: 'Attestation contract', value: <Hash value={chain.contract} copy="contract" /> },
          { label: 'Schema', value: <Hash value={chain.schemaUid} copy="schema" /> },
          { label: 'Attester', value: <Hash value={chain.relayer} copy="attester" /> },
          { label: 'An endpoint to read it', value: <code class="exact">{chain.rpcUrl}</code> },
        ]}
      />
      <p>
        {chain.rpcUrl === ownRpc(site)
          ? 'That endpoint is this service’s own window on the chain. It is handy and less independent than a node of yours.'
          : 'That endpoint is the one this service names. A node of yours is more independent.'}
      </p>
    </section>
  );
}

function TimeStamp(): VNode {
  return (
    <section aria-labelledby="timestamp">
      <h2 id="timestamp">And a second clock</h2>
      <p>
        Evidence may hold <strong>time stamps</strong> (RFC 3161): what a time-stamping authority signed over
        the very data that stands on the chain. They speak for the words without any chain, to whoever trusts
        that authority, and for nothing else: not for who attested, nor that nothing was retracted since.
      </p>
      <p>
        Enter the authority’s certificates above, and your browser judges them beside the three checks.
        Without certificates, on the page of an etch and in a saved receipt page nobody judges them, and the
        checks say so. On the command line:
      </p>
      <pre>
        <code>svc verify evidence.json --require chain,tsa --tsa-certificates authority.pem</code>
      </pre>
    </section>
  );
}

function Verdicts(): VNode {
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">What the verdicts mean</h2>
      <dl class="facts">
        <div>
          <dt>Holds</dt>
          <dd>What was compared is the same, byte for byte.</dd>
        </div>
        <div>
          <dt>Fails</dt>
          <dd>Something read contradicts the receipt. Do not rely on it.</dd>
        </div>
        <div>
          <dt>Not known yet</dt>
          <dd>
            Not anchored yet, or the chain could not be read. An endpoint that is down says nothing about an
            etch.
          </dd>
        </div>
        <div>
          <dt>Nothing to check</dt>
          <dd>
            Sealed or erased words: there is nothing to compare, and that is as it should be. All together
            then have a verdict of their own, <em>2 of 3 checked</em>, and not the green of a full proof.
          </dd>
        </div>
        <div>
          <dt>Not vouched for</dt>
          <dd>
            What was compared fits, by values that the receipt itself names: no receipt can vouch for itself.
            Enter those that you know from elsewhere, and it gets its verdict.
          </dd>
        </div>
      </dl>
    </section>
  );
}

function ByCommand(): VNode {
  return (
    <section aria-labelledby="command">
      <h2 id="command">On the command line</h2>
      <pre>
        <code>svc verify receipt.json --rpc https://a-node-you-trust.example</code>
      </pre>
      <p>
        Evidence holds the proof of the attestation in itself. With the hash of its block it needs no node,
        and no network; only that nothing was revoked since, it cannot show:
      </p>
      <pre>
        <code>svc verify evidence.json --block-hash 0x…</code>
      </pre>
      <p>
        It ends with status 0 when every check holds under values that are yours (given with the command, or
        noted earlier by <code>svc trust</code>), 1 when one fails, 2 when something is not known. Written
        down to the byte, the rules fit a page: a verifier of your own takes an afternoon.
      </p>
    </section>
  );
}

function Trusted(): VNode {
  return (
    <section aria-labelledby="trusted">
      <h2 id="trusted">Who is trusted for what</h2>
      <ul>
        <li>
          <strong>The chain</strong>, that its past is not rewritten.
        </li>
        <li>
          <strong>SHA-256</strong>, that nobody finds two texts with one hash.
        </li>
        <li>
          <strong>This service</strong>, for who an account is, for what stands beside the words (description,
          topic, opening time, the challenge they answer), and that sealed words stay secret until their time.
          Not for the words themselves, nor, once they are anchored, for when they were written.
        </li>
      </ul>
    </section>
  );
}
