import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { pathToRoot } from '@svc/verifier';
import { etchCard } from '../cards/card.ts';
import { renderPage } from '../layout.tsx';
import { treePath } from './trees.tsx';
import { LESSON } from './verify.tsx';
import { etchState } from '../live-state.ts';
import { Byline } from '../parts/author.tsx';
import { ETCH_NOTICES, EtchActions, type Own } from '../parts/etch-actions.tsx';
import { BlindWords } from '../parts/blind-words.tsx';
import { Convention } from '../parts/convention.tsx';
import { commitsToFiles, FileDrop } from '../parts/file-drop.tsx';
import { type ForecastResult, OutcomeLine } from '../parts/outcome-line.tsx';
import { ProofPath } from '../parts/proof-path.tsx';
import { Share } from '../parts/share.tsx';
import { Countdown, liveHost, LiveNote, StandingLine, StandingNotice } from '../parts/standing.tsx';
import { StatusTag } from '../parts/tag.tsx';
import { Day, Exact, Explorer, Fact, Facts, Hash, Text, TextLink, Time } from '../parts/values.tsx';
import { blindSealOf, blindStanding } from '../blind-seal.ts';
import { etchFrame } from '../sharing/oembed.ts';
import { preview } from '../sharing/preview.ts';
import { isUnderWay, type Seen, seenText, standingOf } from '../proven.ts';
import { isDevnet, type Page, type Site, type SiteFile } from '../site.ts';
import { erasedBy, takenDownFor } from '../taken-down.ts';
import { subjectOf, titleOf } from '../title.ts';
import { shownWords } from '../words-text.ts';
import { questionText } from '../questions.ts';
import { countText } from '../format.ts';

type EtchBeside = { own?: Own | undefined; result?: ForecastResult | undefined; seen?: Seen | undefined };

export function etchPage(site: Site, etch: Etch, { own, result, seen }: EtchBeside = {}): Page {
  const plain = standingOf(etch, { devnet: isDevnet(site), anchorSeconds: site.anchorSeconds });
  const seal = blindSealOf(etch, site);
  const standing = seal ? blindStanding(etch, seal, plain, site) : plain;
  const shared = preview(site, `/e/${etch.id}`, etchCard(site, etch), [
    { type: 'application/json', href: `/api/v1/etches/${etch.id}` },
    { type: 'text/markdown', href: `/e/${etch.id}.md` },
  ]);
  const isAuthor = own?.isAuthor ?? false;
  const share = (
    <Share etch={etch} frame={etchFrame(site, etch)} picture={shared.picture} isAuthor={isAuthor} />
  );
  return renderPage(
    site,
    {
      title: titleOf(etch),
      description: `${standing.headline}. By @${etch.author.username}, ${etch.created_on}.`,
      canonical: etch.url,
      ...shared,
      islands: ['copy.js', 'live.js', 'times.js', ...wantedBy(etch, seal)],
    },
    <article
      class="narrow"
      {...liveHost({
        url: `/e/${etch.id}/events`,
        state: etchState(etch),
        waits: isUnderWay(etch),
      })}
    >
      {own?.notice && (
        <p class="note" role="status">
          {ETCH_NOTICES[own.notice]}
        </p>
      )}
      <header class="page-head">
        <p class="card-top" data-part="top">
          <StatusTag etch={etch} blind={seal !== undefined} />
          <a class="quiet" href={`/topics/${etch.category.id}`}>
            {etch.category.label}
          </a>
          <span class="quiet">
            <Day at={etch.created_on} />
          </span>
        </p>
        <h1>
          <Text>{titleOf(etch)}</Text>
        </h1>
        <Byline author={etch.author} id={etch.author.user_id} />
        {etch.challenge && (
          <p class="in-challenge">
            An answer to the challenge{' '}
            <TextLink href={`/ch/${etch.challenge.id}`}>
              {questionText(etch.challenge.question ?? '')}
            </TextLink>
          </p>
        )}
      </header>
      <div data-part="standing">
        <StandingLine standing={standing} />
        {seen && (
          <p class="quiet">
            {seenText(seen)} <a href={`${LESSON}#log`}>Check it</a>
          </p>
        )}
        {seal ? <BlindWords site={site} etch={etch} seal={seal} /> : <Words etch={etch} />}
        {result && <OutcomeLine result={result} />}
        <StandingNotice standing={standing} hasLine />
      </div>
      <LiveNote />
      {commitsToFiles(etch) && <FileDrop words={etch.content!} />}
      <p class="actions">
        <a class="button" href={`/e/${etch.id}/verify`}>
          Verify it yourself
        </a>
        <a href={`/e/${etch.id}/receipt.html`} download={`receipt-${etch.code}.html`}>
          Save the receipt that checks itself
        </a>
      </p>
      {share}
      <div data-part="own">
        <EtchActions site={site} etch={etch} own={own} />
      </div>
      <details class="technical">
        <summary>Technical details</summary>
        <section data-part="recorded">
          <h2>What was recorded</h2>
          <Recorded etch={etch} />
        </section>
        <div data-part="chain">
          <OnChain etch={etch} />
        </div>
      </details>
    </article>,
  );
}

function wantedBy(etch: Etch, seal: BlindSeal | undefined): SiteFile[] {
  if (seal) return ['unseal.js'];
  return commitsToFiles(etch) ? ['files.js'] : [];
}

function Words({ etch }: { etch: Etch }) {
  if (etch.content !== null) {
    const text = shownWords(etch.content).rest;
    return (
      <>
        <Convention content={etch.content} subject={subjectOf(etch)} />
        {text !== '' && (
          <blockquote class="words full">
            <Text>{text}</Text>
          </blockquote>
        )}
      </>
    );
  }
  return etch.status === 'sealed' ? (
    <div class="words-absent sealed">
      <p>
        The words are sealed. They open on <Time at={etch.reveal_at} />.
        <Countdown until={etch.reveal_at} />
      </p>
      <p>
        <a href={`/e/${etch.id}/calendar.ics`}>Add the opening to a calendar</a>
      </p>
    </div>
  ) : (
    <div class="words-absent retracted">
      <p>
        The text was erased {erasedBy(etch)} on <Time at={etch.retracted_at} />. This service no longer has
        it.
      </p>
    </div>
  );
}

function Recorded({ etch }: { etch: Etch }) {
  return (
    <Facts>
      <Fact label="Hash (SHA-256)" value={<Hash value={etch.hash} copy="hash" />} />
      <Fact label="Salt" value={etch.salt && <Hash value={etch.salt} copy="salt" />} />
      <Fact label="Written">
        {etch.created_at ? (
          <Time at={etch.created_at} precision="exact" />
        ) : (
          <>
            <Day at={etch.created_on} />
            <span class="quiet"> (only the day is public)</span>
          </>
        )}
      </Fact>
      <Fact label="Sealed until" value={etch.reveal_at && <Time at={etch.reveal_at} precision="seconds" />} />
      {etch.retracted_at && (
        <Fact label={takenDownFor(etch) === null ? 'Retracted' : 'Taken down'}>
          <Time at={etch.retracted_at} precision="exact" />
        </Fact>
      )}
      <Fact label="Author id" value={<code data-copy="author id">{etch.author.user_id}</code>} />
      {etch.signature && (
        <Fact label="Signed by key (Ed25519)">
          <Hash value={etch.signature.public_key} copy="public key" />
        </Fact>
      )}
      {etch.canonical_string && (
        <Fact label="Exactly what was hashed">
          <Exact summary="Show the canonical string">{etch.canonical_string}</Exact>
        </Fact>
      )}
    </Facts>
  );
}

function OnChain({ etch }: { etch: Etch }) {
  const { chain } = etch;
  if (chain.attestation_uid === null) return null;
  const tree = chain.proof && chain.root && chain.tree_version;
  return (
    <section>
      <h2>On the chain</h2>
      <Facts>
        <Fact label="Attested" value={<Time at={chain.anchored_at!} precision="seconds" />} />
        <Fact label="Attestation">
          <Hash value={chain.attestation_uid} copy="attestation" />
          <Explorer href={chain.attscan_url} />
        </Fact>
        {chain.tx_hash && (
          <Fact label="Transaction">
            <Hash value={chain.tx_hash} copy="transaction" />
            <Explorer href={chain.tx_url} />
          </Fact>
        )}
        {tree ? (
          <Fact label="Tree">
            <a href={treePath(chain.root!, 0)}>
              {countText(chain.tree_size!, 'leaf', 'leaves')}, folding rules of version {chain.tree_version}
            </a>
          </Fact>
        ) : (
          <Fact label="Tree" value="none: the etch has an attestation of its own" />
        )}
        {chain.revoked_onchain_at && (
          <Fact label="Retraction attested">
            <Time at={chain.revoked_onchain_at} precision="seconds" />
          </Fact>
        )}
        {chain.revocation_attestation_uid && (
          <Fact label="Attestation of the tombstone">
            <Hash value={chain.revocation_attestation_uid} copy="attestation of the tombstone" />
            <Explorer href={chain.revocation_tx_url} />
          </Fact>
        )}
        {chain.revocation_root && (
          <Fact label="Tree of the tombstone">
            <a href={treePath(chain.revocation_root, 1)}>the retractions attested with it</a>
          </Fact>
        )}
      </Facts>
      {tree && (
        <figure class="path-figure">
          <ProofPath
            path={pathToRoot(chain.tree_version!, etch.author.user_id, etch.hash, chain.proof!)}
            proof={chain.proof!}
            root={chain.root!}
          />
          <figcaption>
            The path from the leaf of this etch to the root on the chain.{' '}
            <a href="/verify/how#batch">How to read it</a>
          </figcaption>
        </figure>
      )}
    </section>
  );
}
