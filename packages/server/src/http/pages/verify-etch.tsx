import type { Etch, Receipt, Verification } from '@svc/contract';
import { narrowPage } from '@svc/web/layout';
import { byline } from '@svc/web/parts/author';
import { UnhashedFields } from '@svc/web/parts/unhashed-fields';
import { BlindNote } from '@svc/web/parts/blind-words';
import { Checks, NotChecked, SaidVerdict } from '@svc/web/parts/checks';
import { commitsToFiles, FileDrop } from '@svc/web/parts/file-drop';
import { say } from '@svc/web/parts/prose';
import { ownRpc, trustFields, TrustForm } from '@svc/web/parts/trust-form';
import { atTime, safe, safeLink } from '@svc/web/parts/values';
import { type WitnessedTime, witnessedText } from '@svc/web/proof-status';
import type { Page, Site } from '@svc/web/site';
import { shownWords, takenDownFor, titleOf } from '@svc/web/etch-text';
import { blindSealOf } from '@svc/web/blind-seal';
import { UNTRANSLATED } from '@svc/web/untranslated';
import { Convention } from '@svc/web/parts/convention';
import type { FastifyInstance } from 'fastify';
import { ChainUnavailable } from '../../chain/port.ts';
import { etchView } from '../../etches/view.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { seenAt } from './page-data.ts';
import { wantsJson } from './send.ts';
import { siteWithChain } from './site.ts';
import { etchFinder } from './find-subject.ts';

export function mountVerifyEtchPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { chainReads, etches } = deps;
  const find = etchFinder(etches.reader);

  app.get<{ Params: { id: string } }>('/e/:id/verify', async (request) => {
    const { id } = await find(request.params.id);
    if (wantsJson(request)) return etches.verifier.verify(id, chainReads.readerFor(request.ip));
    const site = await siteWithChain(deps, request);
    return verifyEtchPage(site, { ...(await load(deps, id, request.ip)), seen: await seenAt(deps, id) });
  });
}

interface Loaded {
  etch: Etch;
  checks: Verification['checks'] | null;
  seen?: WitnessedTime | undefined;
  former?: readonly Receipt['chain'][];
}

async function load(
  { chainReads, clock, etches, view }: HttpDependencies,
  id: string,
  address: string,
): Promise<Loaded> {
  const { reader, verifier } = etches;
  try {
    const [found, { receipt }] = await Promise.all([
      verifier.verify(id, chainReads.readerFor(address)),
      verifier.shown(id),
    ]);
    const { etch, checks } = found as Verification;
    return { etch, checks, former: receipt.former ?? [] };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return { etch: etchView(await etchFinder(reader)(id), clock.now(), view), checks: null };
  }
}

/**
 * The verdict is the browser's. `checks` is the service's own finding, for readers without scripts; null while the
 * service never reached its chain.
 */
export function verifyEtchPage(site: Site, { etch, checks, seen, former = [] }: Loaded): Page {
  const [first] = former;
  const takenDown = takenDownFor(etch);
  const listsFiles = commitsToFiles(etch);
  const receipt = (text: string) => (
    <a href={`/e/${etch.id}/receipt.html`} download={`receipt-${etch.code}.html`}>
      {text}
    </a>
  );
  return narrowPage(
    site,
    {
      title: `Verify: ${titleOf(etch)}`,
      top: 'Verify',
      heading: safeLink(`/e/${etch.id}`, titleOf(etch)),
      more: byline(etch.author, etch.author.user_id),
      description: 'Re-hash the words, fold their proof, read the chain: in your own browser.',
      canonical: etch.verify_url,
      alternates: [{ type: 'application/json', href: `/api/v1/verify/${etch.id}` }],
      islands: ['verify.js', 'copy.js', 'times.js', listsFiles && 'files.js'],
      section: '/verify',
      readsChain: true,
    },
    <BlindNote site={site} etch={etch} />,
    <section
      data-verify={`/api/v1/etches/${etch.id}/receipt`}
      data-opens={etch.status === 'sealed' ? etch.reveal_at : null}
      aria-labelledby="result"
    >
      <h2 class="visually-hidden" id="result">
        The verdict
      </h2>
      <SaidVerdict />
      <div data-result="">
        <NotChecked>Your browser makes the checks once its script runs.</NotChecked>
      </div>
      <noscript>
        {blindSealOf(etch, site) === undefined && wordsOf(etch)}
        {/* The service's word about itself must not look like a verdict. */}
        <div class="result none">
          <h2>What this service says that it found</h2>
          {checks ? (
            <Checks checks={checks} />
          ) : (
            <p>
              The chain cannot be reached at the moment, so nothing was read from it. The etch and its hash
              are stored; what was anchored stays anchored.
            </p>
          )}
        </div>
        <p class="note">
          {say`
            With scripts switched on, your own browser makes these checks and reads the chain itself. Without
            them: ${receipt('save the receipt')} and run ~svc verify~, or follow
            [the rules](/verify/how) manually.
          `}
        </p>
      </noscript>
      <TrustForm
        fields={trustFields(site.chain, ownRpc(site))}
        source="These are the values of this service. Compare them with a source that you trust, because the attester decides the verdict."
      />
    </section>,
    listsFiles && <FileDrop words={etch.content!} />,
    first && (
      <p class="note">
        {say`
          First attested on ${first.name} (chain ${first.chain_id}) at ${atTime(first.anchored_at!, 'seconds')}.
          The service left that chain. [The evidence](/api/v1/etches/${etch.id}/evidence) proves that time by a
          hash of its block: ~svc verify --former~.
        `}
      </p>
    ),
    takenDown !== null && (
      <p class="note">
        The operator of this service took the words down, because {takenDown}. A receipt shows that words were
        erased, not by whom. Only this service says that.
      </p>
    ),
    <UnhashedFields etch={etch} text="These fields are not in the hash, so no check covers them." />,
    <section>
      <h2>Without this page</h2>
      <ul>
        <li>{receipt('The receipt as one file')} opens from disk, for years, and checks itself.</li>
        <li>
          {say`
            [The receipt as data](/api/v1/etches/${etch.id}/receipt), for ~svc verify~ or a program of your own.
          `}
        </li>
        <li>{say`[How verification works](/verify/how) explains each step.`}</li>
        {seen && (
          <li>
            {say`${witnessedText(seen)} This service says so. [Check it](/verify/how#log) on the command line.`}
          </li>
        )}
      </ul>
    </section>,
  );
}

/** With scripts, the verdict repeats the words that the browser hashed. */
function wordsOf({ content, challenge }: Etch) {
  if (content === null) return null;
  const question = challenge?.question ?? undefined;
  const { rest } = shownWords(content);
  return (
    <>
      <Convention content={content} question={question} />
      {rest !== '' && (
        <blockquote class="words full" {...UNTRANSLATED}>
          {safe(rest)}
        </blockquote>
      )}
    </>
  );
}
