import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { ownRpc, trustFields, TrustForm } from '@svc/web/parts/trust-form';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';
import { wantsJson } from './send.ts';
import { siteWithChain } from './site.ts';

export const LESSON = '/verify/how';

export function mountVerifyPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/verify', async (request) => {
    const site = await siteWithChain(deps, request);
    return wantsJson(request) ? { chain: site.chain } : verifyPage(site, deps.etches.treeLog.keys);
  });
}

export function verifyPage(site: Site, logKeys: readonly string[]): Page {
  return narrowPage(
    site,
    {
      title: 'Verify a receipt',
      description:
        'Drop a receipt, and your browser checks it: it hashes the words, folds the proof and reads the chain.',
      canonical: `${site.baseUrl}/verify`,
      islands: ['verify.js', 'copy.js'],
      section: '/verify',
      readsChain: true,
    },
    <section data-verify="" aria-labelledby="result">
      <div class="drop" data-drop="" hidden>
        <label for="receipt-file">Drop a receipt or evidence here, or choose the file</label>
        <input id="receipt-file" type="file" accept=".json,.html,application/json,text/html" />
      </div>
      <noscript>
        <p class="note">
          {say`
            This page needs scripts, which are switched off. Use [the command line](${LESSON}#command), or open a
            saved receipt page where scripts are on.
          `}
        </p>
      </noscript>
      {prose`
        Your browser checks the file, and the file stays on your machine. Your browser reads only the attestation
        from the chain. For evidence it reads only the hash of a block, or nothing if you enter that hash.
      `}
      <h2 class="visually-hidden" id="result">
        The verdict
      </h2>
      <div data-result="" role="status"></div>
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
          {say`[The words](${LESSON}#words): their SHA-256, with author, time and salt, is the published hash.`}
        </li>
        <li id="batch">
          {say`[The tree](${LESSON}#batch): the hash, folded with its proof, gives the root.`}
        </li>
        <li id="chain">
          {say`[The chain](${LESSON}#chain): the right attester attested that root on the chain.`}
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
