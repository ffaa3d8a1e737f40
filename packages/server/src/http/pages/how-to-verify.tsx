import { CANONICAL_TAG, etchSignedString } from '@svc/protocol';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { ComponentChildren } from 'preact';
import { spanText } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { ownRpc } from '@svc/web/parts/trust-form';
import { TryIt, Way } from '@svc/web/parts/try-it';
import { facts, fullHash } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { TryExample } from '@svc/web/try-example';
import type { FastifyInstance } from 'fastify';
import { LESSON } from './verify.tsx';
import { UNTRANSLATED } from '@svc/web/untranslated';
import type { HttpDependencies } from '../dependencies.ts';
import type { EtchExamples } from './etch-examples.ts';
import { siteWithChain } from './site.ts';

export function mountHowToVerifyPage(
  app: FastifyInstance,
  deps: HttpDependencies,
  examples: EtchExamples,
): void {
  app.get(LESSON, async (request) =>
    howToVerifyPage(await siteWithChain(deps, request), await examples.tryable()),
  );
}

export function howToVerifyPage(site: Site, example: TryExample): Page {
  const { chain } = site;
  return narrowPage(
    site,
    {
      title: 'How verification works',
      kind: 'prose',
      description:
        'Three checks decide: hash the words, fold the proof, read the chain. No check needs this service.',
      lead: 'A receipt has everything that a check needs, except the chain. Three checks decide, and you can make each of them without this service.',
      more: prose`[Check a receipt in your browser](/verify)`,
      canonical: `${site.baseUrl}${LESSON}`,
      islands: ['try.js', 'copy.js', 'times.js'],
      section: '/verify',
    },
    <Way />,
    <TryIt example={example} />,
    <Lesson id="words" title="1. The words">
      {prose`
        One line holds author, time, salt and words. The SHA-256 of that line is the published hash. The rule
        never changes:

        | hash = sha256( ${CANONICAL_TAG}|<author id>|<time>|<salt>|<words> )

        The receipt has that line in ~canonical_string~. Hash its UTF-8 bytes and compare the two hashes. On
        most machines:

        | jq -j .canonical_string receipt.json | sha256sum

        The line of a sealed etch is hidden, and the secret salt makes guesses useless. A retraction erases
        line and salt. This check has nothing to read in both cases, which is no fault.

        If the author signed, the Ed25519 signature is over ~${SIGNED}~.
      `}
    </Lesson>,
    <Lesson id="batch" title="2. The tree">
      {prose`
        Many hashes share one attestation on the chain. They are the leaves of a tree, and the proof leads from
        one leaf to the root. Each step joins the hash so far with its sibling, the smaller first, and hashes
        both.

        | leaf = sha256( 0x00 || author id, 16 bytes || hash )   (tree version 2)
        | leaf = sha256( 0x00 || hash )                          (tree version 1)
        | node = sha256( 0x01 || smaller || larger )

        Start with the leaf and fold in each hash of ~inclusion.proof~. The result must be ~inclusion.root~. A
        leaf of version 2 contains the author, and [every tree is public](/trees), so a record cannot leave out
        an anchored etch unnoticed. ~svc audit~ compares a record with the chain.

        A retracted etch is also a leaf of a tree of tombstones. That tree needs its own attestation, with ~kind~ 1.
      `}
    </Lesson>,
    <Lesson id="chain" title="3. The chain">
      {prose`
        An attestation contract (EAS) stores the root. Read ~getAttestation(attestation_uid)~ from any node of
        the chain. Five things must fit: the contract, the schema, the attester, data that begins with the root,
        and a time that is not before the stated time of writing. A time at most
        ${spanText(LATE_AFTER_MILLISECONDS)} later passes: the stated time can be too early by that much at most. A
        later time proves only itself.

        Anyone can attest anything, so the attester decides. A receipt can name any attester, so compare these
        values with a source that you trust. [One button](/about#chain) copies them all for a saved receipt:
      `}
      {facts(
        ['Chain', chain.id === null ? chain.name : `${chain.name}, id ${chain.id}`],
        ['Attestation contract', fullHash(chain.contract, 'contract')],
        ['Schema', fullHash(chain.schemaUid, 'schema')],
        ['Attester', fullHash(chain.relayer, 'attester')],
        [
          'RPC endpoint',
          <code class="exact" {...UNTRANSLATED}>
            {chain.rpcUrl}
          </code>,
        ],
      )}
      {prose`
        This service ${chain.rpcUrl === ownRpc(site) ? 'runs' : 'names'} that endpoint. A node of your own is
        more independent.
      `}
    </Lesson>,
    <Lesson id="timestamp" title="Time stamps">
      {prose`
        Evidence may have **time stamps** (RFC 3161): an authority signed the data that is on the chain. They
        prove the time without a chain, if you trust that authority. They do not show who attested, or that
        nothing was retracted later.

        Enter the authority’s certificates [on the page for checks](/verify), and your browser checks the time
        stamps too. Without certificates they are not checked, and the result says so. On the command line:

        | svc verify evidence.json --require chain,tsa --tsa-certificates authority.pem
      `}
    </Lesson>,
    <Lesson id="log" title="Witnesses">
      {prose`
        A service may name **witnesses**: other parties that sign the log of its trees. They see a tree before
        the chain has it, and they see one log for all readers. A policy file names the log and the witnesses
        that you trust ([how to write one](/docs/verification)):

        | svc verify ETCH --require chain,log --policy policy.txt
      `}
    </Lesson>,
    <Lesson id="index" title="The index of accounts">
      {prose`
        A receipt may have its author’s entries in the **index of accounts**. They say which of the author’s etches it is, such as
        etch 17 of 20, by the word of the operator, or of a witness that recomputed the index. Your browser checks
        them with the key of the log from svc.json. To check a whole record:

        | svc audit NAME --index
      `}
    </Lesson>,
    <Lesson id="verdicts" title="What the verdicts mean">
      {facts(
        ['Holds', 'The compared values are the same, byte for byte.'],
        ['Fails', 'A value contradicts the receipt. Do not rely on the receipt.'],
        [
          'Not known yet',
          'The etch is not anchored yet, or the chain could not be read. An endpoint that is down says nothing about an etch.',
        ],
        [
          'Nothing to check',
          say`
            The words are sealed or erased, so there is nothing to compare. The whole verdict is then *2 of 3
            checks passed*, without the green of a full proof.
          `,
        ],
        [
          'The attester is not checked yet',
          'The compared values fit, but only the receipt names the attester, and a receipt cannot vouch for itself. Enter the values that you trust to get a verdict.',
        ],
      )}
    </Lesson>,
    <Lesson id="command" title="On the command line">
      {prose`
        | svc verify receipt.json --rpc https://a-node-you-trust.example

        Evidence contains the proof of its attestation. With the hash of the block it needs no node and no
        network. It cannot show that nothing was revoked later:

        | svc verify evidence.json --block-hash 0x…

        The exit status is 0 if every check holds under your values (from the command, or saved by
        ~svc trust~), 1 if a check fails, and 2 if something is unknown. [The protocol](/docs/protocol) has every
        rule to the byte, for a verifier of your own.
      `}
    </Lesson>,
    <Lesson id="trusted" title="Who is trusted for what">
      {prose`
        - **The chain**: its past is not rewritten.
        - **SHA-256**: no two texts with one hash can be found.
        - **This service**: it names the accounts, the description, topic, opening time and challenge of an
          etch, and keeps sealed words secret until their time. You need not trust it for the words, nor for the
          time once they are anchored.
      `}
    </Lesson>,
  );
}

const SIGNED = etchSignedString('<author id>', '').replace(/[^|]*$/, '<sha256 of the words>');

const Lesson = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);
