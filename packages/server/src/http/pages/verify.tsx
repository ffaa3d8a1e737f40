import type { Etch } from '@svc/contract';
import { narrowPage } from '@svc/web/layout';
import { SaidVerdict } from '@svc/web/parts/checks';
import { Button } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { ownRpc, trustFields, TrustForm } from '@svc/web/parts/trust-form';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';
import type { EtchExamples } from './etch-examples.ts';
import { findAddressOf, missText } from './find-subject.ts';
import { seeOther, wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteWithChain } from './site.ts';

export const LESSON = '/verify/how';

export function mountVerifyPage(app: FastifyInstance, deps: HttpDependencies, examples: EtchExamples): void {
  app.get<{ Querystring: { q?: unknown } }>('/verify', async (request, reply) => {
    const typed = request.query.q;
    const q = typeof typed === 'string' ? typed.trim().slice(0, MOST_TYPED) : '';
    if (q !== '') {
      await takeAnonymous(deps, request);
      const path = await findAddressOf(deps, q);
      if (path !== undefined) return seeOther(reply, verifyPathOf(path));
    }
    const site = await siteWithChain(deps, request);
    if (wantsJson(request)) return { chain: site.chain };
    return verifyPage(site, deps.etches.treeLog.keys, { q, example: await examples.opened() });
  });
}

const MOST_TYPED = 2_000;

/** The page that verifies an etch, or the page of another record. */
const verifyPathOf = (path: string): string => {
  const [, etch] = /^(\/e\/[\w-]+)(?:\/verify)?$/.exec(path.split(/[?#]/, 1)[0]!) ?? [];
  return etch === undefined ? path : `${etch}/verify`;
};

interface VerifyData {
  /** The typed text that names nothing here. */
  q?: string;
  example?: Etch | undefined;
}

export function verifyPage(
  site: Site,
  logKeys: readonly string[],
  { q = '', example }: VerifyData = {},
): Page {
  return narrowPage(
    site,
    {
      title: 'Verify',
      description:
        'Give a link, a hash, a code or a receipt, and your browser checks it: it hashes the words, folds the proof and reads the chain.',
      lead: 'Check that a text is unchanged since its proven time. Your browser does the check.',
      canonical: `${site.baseUrl}/verify`,
      islands: ['verify.js', 'copy.js', 'times.js'],
      section: '/verify',
      readsChain: true,
    },
    <section data-verify="" aria-labelledby="result">
      <form class="drop" data-drop="" action="/verify" role="search">
        <label for="verify-q">
          A link, a hash or a code of an etch<span class="with-scripts">, or the text of a receipt</span>
        </label>
        <div class="search-box">
          <input
            id="verify-q"
            type="text"
            name="q"
            value={q}
            placeholder="Link or code"
            autocomplete="off"
            spellcheck={false}
            {...(q !== '' && { 'aria-invalid': 'true', 'aria-describedby': 'verify-miss' })}
          />
          <Button>Verify</Button>
        </div>
        {q !== '' && (
          <p class="wrong-note" id="verify-miss" role="alert">
            {missText(q, site.baseUrl)}
          </p>
        )}
        {example && <p>{say`Or try it with [an etch that opened here](/e/${example.id}/verify).`}</p>}
        <div class="with-scripts">
          <label for="receipt-file">Or drop a receipt or evidence here, or choose the file</label>
          <input id="receipt-file" type="file" accept=".json,.html,application/json,text/html" />
        </div>
      </form>
      <noscript>
        <p class="note">
          {say`
            A file needs scripts, which are switched off. Use [the command line](${LESSON}#command), or open a
            saved receipt page where scripts are on.
          `}
        </p>
      </noscript>
      <details>
        <summary>What your browser reads and sends</summary>
        {prose`
          Your browser checks the file, and the file stays on your machine. Your browser reads only the attestation
          from the chain. For evidence it reads only the hash of a block, or nothing if you enter that hash.
        `}
      </details>
      {prose`To read an opening file, use [Open a sealed etch](/open).`}
      <h2 class="visually-hidden" id="result">
        The verdict
      </h2>
      <SaidVerdict />
      <div data-result=""></div>
      <TrustForm
        takesEvidence
        judgesTimeStamps
        logKeys={logKeys.join(' ')}
        fields={trustFields(site.chain, ownRpc(site))}
        source="These are the values of this service. A receipt with other values gets no verdict until you enter the values that you trust."
      />
    </section>,
    <section aria-labelledby="how">
      <h2 id="how">
        <a href={LESSON}>How verification works</a>
      </h2>
      <ol>
        <li id="words">
          {say`[The words](${LESSON}#words): the SHA-256 of author, time, salt and words is the published hash.`}
        </li>
        <li id="batch">{say`[The tree](${LESSON}#batch): a proof leads from the hash to one root.`}</li>
        <li id="chain">
          {say`[The chain](${LESSON}#chain): the attester, an account of the service, stored this root on the chain.`}
        </li>
      </ol>
      <p>
        <a href={`${LESSON}#try`}>Change a letter of an etch</a> and see where its proof breaks, or verify{' '}
        <a href={`${LESSON}#command`} id="command">
          on the command line
        </a>
        .
      </p>
    </section>,
  );
}
