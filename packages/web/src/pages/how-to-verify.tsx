import { CANONICAL_TAG, etchSignedString } from '@svc/protocol';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { ComponentChildren } from 'preact';
import { renderPage } from '../layout.tsx';
import { TryIt, Way } from '../parts/try-it.tsx';
import { LESSON } from './verify.tsx';
import type { Page, Site } from '../site.ts';
import { spanText } from '../format.ts';
import type { TryExample } from '../try-example.ts';
import { Block, Fact, Facts, Hash } from '../parts/values.tsx';
import { ownRpc } from '../parts/trust-form.tsx';

export function howToVerifyPage(site: Site, example: TryExample): Page {
  const { chain } = site;
  return renderPage(
    site,
    {
      title: 'How verification works',
      description:
        'Three checks decide: hash the words, fold the proof, read the chain. No check needs this service.',
      canonical: `${site.baseUrl}${LESSON}`,
      islands: ['try.js', 'copy.js'],
      section: '/verify',
    },
    <div class="narrow prose">
      <header class="page-head">
        <h1>How verification works</h1>
        <p class="lead">
          A receipt has everything that a check needs, except the chain. Three checks decide, and you can make
          each of them without this service.
        </p>
        <p>
          <a href="/verify">Check a receipt in your browser</a>
        </p>
      </header>
      <Way />
      <TryIt example={example} />
      <Lesson id="words" title="1. The words">
        <p>
          One line holds author, time, salt and words. The SHA-256 of that line is the published hash. The
          rule never changes:
        </p>
        <Block>{`hash = sha256( ${CANONICAL_TAG}|<author id>|<time>|<salt>|<words> )`}</Block>
        <p>
          The receipt has that line in <code>canonical_string</code>. Hash its UTF-8 bytes and compare the two
          hashes. On most machines:
        </p>
        <Block>jq -j .canonical_string receipt.json | sha256sum</Block>
        <p>
          The line of a sealed etch is hidden, and the secret salt makes guesses useless. A retraction erases
          line and salt. This check has nothing to read in both cases, which is no fault.
        </p>
        <p>
          If the author signed, the Ed25519 signature is over <code>{SIGNED}</code>.
        </p>
      </Lesson>
      <Lesson id="batch" title="2. The tree">
        <p>
          Many hashes share one attestation on the chain. They are the leaves of a tree, and the proof leads
          from one leaf to the root. Each step joins the hash so far with its sibling, the smaller first, and
          hashes both.
        </p>
        <Block>
          {'leaf = sha256( 0x00 || author id, 16 bytes || hash )   (tree version 2)\n'}
          {'leaf = sha256( 0x00 || hash )                          (tree version 1)\n'}
          {'node = sha256( 0x01 || smaller || larger )'}
        </Block>
        <p>
          Start with the leaf and fold in each hash of <code>inclusion.proof</code>. The result must be{' '}
          <code>inclusion.root</code>. A leaf of version 2 contains the author, and{' '}
          <a href="/trees">every tree is public</a>, so a record cannot leave out an anchored etch unnoticed.{' '}
          <code>svc audit</code> compares a record with the chain.
        </p>
        <p>
          A retracted etch is also a leaf of a tree of tombstones. That tree needs an attestation of its own,
          with <code>kind</code> 1.
        </p>
      </Lesson>
      <Lesson id="chain" title="3. The chain">
        <p>
          An attestation contract (EAS) stores the root. Read <code>getAttestation(attestation_uid)</code>{' '}
          from any node of the chain. Five things must fit: the contract, the schema, the attester, data that
          begins with the root, and a time that is not before the stated time of writing. A time at most{' '}
          {spanText(LATE_AFTER_MILLISECONDS)} later proves the stated time. A time after that proves only
          itself.
        </p>
        <p>
          Anyone can attest anything, so the attester decides. A receipt can name any attester, so compare
          these values with a source that you trust. <a href="/about#chain">One button</a> copies them all for
          a saved receipt:
        </p>
        <Facts>
          <Fact label="Chain" value={chain.id === null ? chain.name : `${chain.name}, id ${chain.id}`} />
          <Fact label="Attestation contract" value={<Hash value={chain.contract} copy="contract" />} />
          <Fact label="Schema" value={<Hash value={chain.schemaUid} copy="schema" />} />
          <Fact label="Attester" value={<Hash value={chain.relayer} copy="attester" />} />
          <Fact label="RPC endpoint" value={<code class="exact">{chain.rpcUrl}</code>} />
        </Facts>
        <p>
          {chain.rpcUrl === ownRpc(site)
            ? 'This service runs that endpoint. A node of your own is more independent.'
            : 'This service names that endpoint. A node of your own is more independent.'}
        </p>
      </Lesson>
      <Lesson id="timestamp" title="Time stamps">
        <p>
          Evidence may have <strong>time stamps</strong> (RFC 3161): an authority signed the data that is on
          the chain. They prove the time without a chain, if you trust that authority. They do not show who
          attested, or that nothing was retracted later.
        </p>
        <p>
          Enter the authority’s certificates <a href="/verify">on the page for checks</a>, and your browser
          checks the time stamps too. Without certificates they are not checked, and the result says so. On
          the command line:
        </p>
        <Block>svc verify evidence.json --require chain,tsa --tsa-certificates authority.pem</Block>
      </Lesson>
      <Lesson id="log" title="Witnesses">
        <p>
          A service may name <strong>witnesses</strong>: other parties that sign the log of its trees. They
          see a tree before the chain has it, and they see one log for all readers. A policy file names the
          log and the witnesses that you trust (<a href="/docs/verification">how to write one</a>):
        </p>
        <Block>svc verify ETCH --require chain,log --policy policy.txt</Block>
      </Lesson>
      <Lesson id="verdicts" title="What the verdicts mean">
        <Facts>
          <Fact label="Holds">The compared values are the same, byte for byte.</Fact>
          <Fact label="Fails">A value contradicts the receipt. Do not rely on the receipt.</Fact>
          <Fact label="Not known yet">
            The etch is not anchored yet, or the chain could not be read. An endpoint that is down says
            nothing about an etch.
          </Fact>
          <Fact label="Nothing to check">
            The words are sealed or erased, so there is nothing to compare. The whole verdict is then{' '}
            <em>2 of 3 checked</em>, without the green of a full proof.
          </Fact>
          <Fact label="Not vouched for">
            The compared values fit, but only the receipt names the attester, and a receipt cannot vouch for
            itself. Enter the values that you trust to get a verdict.
          </Fact>
        </Facts>
      </Lesson>
      <Lesson id="command" title="On the command line">
        <Block>svc verify receipt.json --rpc https://a-node-you-trust.example</Block>
        <p>
          Evidence contains the proof of its attestation. With the hash of the block it needs no node and no
          network. It cannot show that nothing was revoked later:
        </p>
        <Block>svc verify evidence.json --block-hash 0x…</Block>
        <p>
          The exit status is 0 if every check holds under your values (from the command, or saved by{' '}
          <code>svc trust</code>), 1 if a check fails, and 2 if something is unknown.{' '}
          <a href="/docs/protocol">The protocol</a> has every rule to the byte, for a verifier of your own.
        </p>
      </Lesson>
      <Lesson id="trusted" title="Who is trusted for what">
        <ul>
          <li>
            <strong>The chain</strong>: its past is not rewritten.
          </li>
          <li>
            <strong>SHA-256</strong>: no two texts with one hash can be found.
          </li>
          <li>
            <strong>This service</strong>: it names the accounts, the description, topic, opening time and
            challenge of an etch, and keeps sealed words secret until their time. You need not trust it for
            the words, nor for the time once they are anchored.
          </li>
        </ul>
      </Lesson>
    </div>,
  );
}

const SIGNED = etchSignedString('<author id>', '').replace(/[^|]*$/, '<sha256 of the words>');

const Lesson = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);
