import type { Etch } from '@svc/contract';
import { pathToRoot } from '@svc/verifier';
import { etchCard } from '@svc/web/cards/card';
import { renderPage } from '@svc/web/layout';
import { etchState } from '@svc/web/live-state';
import { byline, topicLink } from '@svc/web/parts/author';
import { ETCH_NOTICES, EtchActions } from '@svc/web/parts/etch-actions';
import { BlindWords } from '@svc/web/parts/blind-words';
import { Convention } from '@svc/web/parts/convention';
import { commitsToFiles, FileDrop } from '@svc/web/parts/file-drop';
import { FollowButton } from '@svc/web/parts/follow-button';
import { say } from '@svc/web/parts/prose';
import { ProofPath } from '@svc/web/parts/proof-path';
import { Seal } from '@svc/web/parts/seal';
import { Share, ShareButton } from '@svc/web/parts/share';
import { Spine } from '@svc/web/parts/spine';
import { Countdown, liveHost, LiveNote, StatusNotice } from '@svc/web/parts/status-notice';
import { StatusTag } from '@svc/web/parts/tag';
import { atTime, Exact, explorer, facts, fullHash, onDay, safe, safeLink } from '@svc/web/parts/values';
import { blindSealOf, blindStatus, canBeOpened } from '@svc/web/blind-seal';
import { isUnderWay, openedText, proofStatusOf, witnessedText } from '@svc/web/proof-status';
import { isDevnet, type Page, type Site } from '@svc/web/site';
import { countText } from '@svc/web/format';
import { type ShownEtch, shownWords, takenDownFor, titleOf } from '@svc/web/etch-text';
import { Done } from '@svc/web/parts/form';
import { deciderOf, OutcomeLine, resultWords } from '@svc/web/parts/standings';
import { etchFrame, preview } from '@svc/web/sharing/oembed';
import { readWords } from '@svc/protocol/conventions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { treePath } from './trees.tsx';
import { LESSON } from './verify.tsx';
import { etchView } from '../../etches/view.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchMarkdown } from '../../records/record-markdown.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { judgeForecast, readForecastOutcome } from '../../records/scores/resolution.ts';
import { type HttpDependencies, readContext } from '../dependencies.ts';
import { seenAt, withResolvedSubjects } from './page-data.ts';
import { sendMarkdown, splitEnding } from './send.ts';
import { readerActions } from './session.ts';
import { siteFor } from './site.ts';
import { etchFinder } from './find-subject.ts';
import { UNTRANSLATED } from '@svc/web/untranslated';

export function mountEtchPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { clock, view } = deps;
  const find = etchFinder(deps.etches.reader);

  app.get<{ Params: { id: string } }>('/e/:id', async (request, reply) => {
    const { name, form } = splitEnding(request.params.id, request);
    const row = await find(name);
    const etch = etchView(row, clock.now(), view);
    if (form === 'json') return { etch };
    if (form === 'markdown')
      return sendMarkdown(request, reply, `# Etch ${etch.code}\n\n${etchMarkdown(etch, view.drand)}\n`);
    const [shown] = await withResolvedSubjects(deps, [etch]);
    return etchPage(siteFor(deps, request), shown!, await load(deps, request, { row, etch }));
  });
}

async function load(
  deps: HttpDependencies,
  request: FastifyRequest,
  { row, etch }: { row: EtchRow; etch: Etch },
) {
  const own = await readerActions(deps, request, row);
  const written = etch.challenge === null && own?.isAuthor ? readWords(etch.content ?? '') : undefined;
  if (own && written?.kind === 'forecast')
    own.canResolve = (await readForecastOutcome(deps.db, etch, written, readContext(deps))).state === 'open';
  const result = await judgeForecast(deps.db, etch, readContext(deps));
  return { own, result, seen: await seenAt(deps, etch.id) };
}

export function etchPage(
  site: Site,
  etch: ShownEtch,
  { own, result, seen }: Partial<Awaited<ReturnType<typeof load>>> = {},
): Page {
  const plain = proofStatusOf(etch, {
    devnet: isDevnet(site),
    anchorSeconds: site.anchorSeconds,
    decidedBy: result && deciderOf(result),
  });
  const seal = blindSealOf(etch, site);
  const opened = openedText(etch);
  const status = seal
    ? blindStatus(etch, seal, plain, site)
    : { ...plain, ...(opened !== null && { headline: opened }) };
  const here = `/e/${etch.id}` as const;
  const isAuthor = own?.isAuthor ?? false;
  const isAnchored = etch.chain.status === 'anchored';
  const listsFiles = commitsToFiles(etch);
  const shared = preview(site, here, etchCard(site, etch), [
    { type: 'application/json', href: `/api/v1/etches/${etch.id}` },
    { type: 'text/markdown', href: `${here}.md` },
  ]);
  return renderPage(
    site,
    {
      title: titleOf(etch),
      description: `${status.headline}. By @${etch.author.username}, ${etch.created_on}.`,
      canonical: etch.url,
      ...shared,
      islands: ['copy.js', 'live.js', 'times.js', seal && 'unseal.js', listsFiles && 'files.js'],
    },
    <article class="narrow" {...liveHost(here, etchState(etch), isUnderWay(etch))}>
      {own?.notice && (
        <p class="note" role="status">
          {ETCH_NOTICES[own.notice]}
        </p>
      )}
      {isAuthor && site.viewer?.etched && (
        <Done>
          {seal || etch.status === 'sealed' ? 'Your words are sealed.' : 'Your words are public.'} You can
          close this page.
        </Done>
      )}
      <header class="page-head">
        <p class="card-top" data-part="top">
          <StatusTag etch={etch} blind={seal !== undefined} resolved={result && resultWords(result)} />
          {topicLink(etch.category)}
        </p>
        <h1>{etch.challenge ? safeLink(`/ch/${etch.challenge.id}`, titleOf(etch)) : safe(titleOf(etch))}</h1>
        {byline(etch.author, etch.author.user_id)}
        <div data-part="outcome">{result && <OutcomeLine result={result} />}</div>
        <div class="actions lesser">
          <FollowButton site={site} following={own?.following} back={here} what="this etch" />
        </div>
      </header>
      <div data-part="standing">
        {seal ? <BlindWords site={site} etch={etch} seal={seal} /> : words(etch, status.headline, site.now)}
        <Spine site={site} etch={etch} seal={seal} resolvedAt={result?.resolved_at} />
        <StatusNotice status={status} hasLine={seal ? !canBeOpened(seal, site) : etch.status !== 'revealed'}>
          {seen && <p class="quiet">{say`${witnessedText(seen)} [Check it](${LESSON}#log)`}</p>}
          <div class="actions">
            {isAnchored && (
              <>
                <a class="button" href={`${here}/verify`}>
                  Verify it yourself
                </a>
                <a href={`${here}/receipt.html`} download={`receipt-${etch.code}.html`}>
                  Save the receipt that checks itself
                </a>
              </>
            )}
            <ShareButton url={etch.short_url} isFirst={!isAnchored} />
            {!isAnchored && 'You can verify it, and save its receipt, once it is anchored.'}
          </div>
        </StatusNotice>
      </div>
      <LiveNote />
      {listsFiles && <FileDrop words={etch.content!} />}
      <Share etch={etch} frame={etchFrame(site, etch)} picture={shared.picture} isAuthor={isAuthor} />
      <p>
        {say`More: [the record of @${etch.author.username}](/u/${etch.author.username})`}
        {etch.challenge && say` · [All answers to this challenge](/ch/${etch.challenge.id})`}
      </p>
      <div data-part="own">
        <EtchActions site={site} etch={etch} own={own} />
      </div>
      <details class="technical">
        <summary>Technical details</summary>
        <section data-part="recorded">
          <h2>What was recorded</h2>
          {recordedFacts(etch)}
        </section>
        <div data-part="chain">{onChain(etch)}</div>
      </details>
    </article>,
  );
}

function words(etch: ShownEtch, headline: string, now: number | undefined) {
  if (etch.content !== null) {
    const text = shownWords(etch.content).rest;
    return (
      <div class="unsealed">
        {etch.mode === 'delayed' && <Seal state="revealed" large />}
        <div>
          <Convention
            content={etch.content}
            question={etch.challenge?.question}
            subject={etch.subject}
            anchoredAt={etch.chain.anchored_at}
          />
          {text !== '' && (
            <blockquote class="words full" {...UNTRANSLATED}>
              {safe(text)}
            </blockquote>
          )}
        </div>
      </div>
    );
  }
  return etch.status === 'sealed' ? (
    <div class="words-absent sealed">
      <Seal state="sealed" large />
      <h2 id="standing">Sealed. It opens by itself</h2>
      <p>
        <Countdown until={etch.reveal_at} now={now} />
      </p>
      <p class="quiet">
        <a href={`/e/${etch.id}/calendar.ics`}>Add the opening time to a calendar</a>
      </p>
    </div>
  ) : (
    <div class="words-absent retracted">
      <Seal state="retracted" large />
      <h2 id="standing">{headline}</h2>
    </div>
  );
}

function recordedFacts(etch: Etch) {
  const { salt, created_at: created, reveal_at: opens, retracted_at: retracted, signature } = etch;
  return facts(
    ['Hash (SHA-256)', fullHash(etch.hash, 'hash')],
    ['Salt', salt && fullHash(salt, 'salt')],
    created
      ? ['Written', atTime(created, 'exact')]
      : ['Written', onDay(etch.created_on), <span class="quiet"> (only the day is public)</span>],
    ['Sealed until', opens && atTime(opens, 'seconds')],
    [takenDownFor(etch) === null ? 'Retracted' : 'Taken down', retracted && atTime(retracted, 'exact')],
    ['Author id', <code data-copy="author id">{etch.author.user_id}</code>],
    ['Signed by key (Ed25519)', signature && fullHash(signature.public_key, 'public key')],
    [
      'Exactly what was hashed',
      etch.canonical_string && <Exact summary="Show the canonical string">{etch.canonical_string}</Exact>,
    ],
  );
}

function onChain({ chain, author, hash }: Etch) {
  const { attestation_uid: uid, tx_hash: tx, root, proof, tree_version: version, tree_size: size } = chain;
  const { revoked_onchain_at: revoked, revocation_attestation_uid: tombstone, revocation_root } = chain;
  if (uid === null) return null;
  const tree = proof && root && version;
  return (
    <section>
      <h2>On the chain</h2>
      {facts(
        ['Attested', atTime(chain.anchored_at!, 'seconds')],
        ['Attestation', fullHash(uid, 'attestation'), explorer(chain.attscan_url)],
        tx && ['Transaction', fullHash(tx, 'transaction'), explorer(chain.tx_url)],
        [
          'Tree',
          tree ? (
            <a href={treePath(root, 0)}>
              {countText(size!, 'leaf', 'leaves')}, folding rules of version {version}
            </a>
          ) : (
            'none: the etch has an attestation of its own'
          ),
        ],
        ['Retraction attested', revoked && atTime(revoked, 'seconds')],
        tombstone && [
          'Attestation of the tombstone',
          fullHash(tombstone, 'attestation of the tombstone'),
          explorer(chain.revocation_tx_url),
        ],
        [
          'Tree of the tombstone',
          revocation_root && <a href={treePath(revocation_root, 1)}>the retractions attested with it</a>,
        ],
      )}
      {tree && (
        <figure class="path-figure">
          <ProofPath
            path={pathToRoot(version, author.user_id, hash, proof, sha256)}
            proof={proof}
            root={root}
          />
          <figcaption>
            {say`
              The path from the leaf of this etch to the root on the chain.
              [How to read it](/verify/how#batch)
            `}
          </figcaption>
        </figure>
      )}
    </section>
  );
}
