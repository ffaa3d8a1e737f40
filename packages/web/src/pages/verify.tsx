import { Narrow, renderPage } from '../layout.tsx';
import { ownRpc, trustFields, TrustForm } from '../parts/trust-form.tsx';
import type { Page, Site } from '../site.ts';

export const LESSON = '/verify/how';

export function verifyPage(site: Site): Page {
  return renderPage(
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
    <Narrow heading="Verify a receipt">
      <section data-verify="" aria-labelledby="result">
        <div class="drop" data-drop="" hidden>
          <label for="receipt-file">Drop a receipt or evidence here, or choose the file</label>
          <input id="receipt-file" type="file" accept=".json,.html,application/json,text/html" />
        </div>
        <noscript>
          <p class="note">
            This page needs scripts, which are switched off. Use{' '}
            <a href={`${LESSON}#command`}>the command line</a>, or open a saved receipt page where scripts are
            on.
          </p>
        </noscript>
        <p>
          Your browser checks the file, and the file stays on your machine. Your browser reads only the
          attestation from the chain. For evidence it reads only the hash of a block, or nothing if you enter
          that hash.
        </p>
        <h2 class="visually-hidden" id="result">
          The verdict
        </h2>
        <div data-result="" role="status"></div>
        <TrustForm
          takesEvidence
          judgesTimeStamps
          fields={trustFields(site.chain, ownRpc(site))}
          source="These are the values of this service. A receipt with other values gets no verdict until you enter the values that you trust."
        />
      </section>
      <Steps />
    </Narrow>,
  );
}

function Steps() {
  return (
    <section aria-labelledby="how">
      <h2 id="how">
        <a href={LESSON}>How verification works</a>
      </h2>
      <ol>
        {STEPS.map(({ id, title, text }) => (
          <li id={id}>
            <a href={`${LESSON}#${id}`}>{title}</a>: {text}
          </li>
        ))}
      </ol>
      <p>
        <a href={`${LESSON}#try`}>Change a letter of an etch</a> and see where its proof breaks, or verify{' '}
        <a href={`${LESSON}#command`} id="command">
          on the command line
        </a>
        .
      </p>
    </section>
  );
}

const STEPS = [
  {
    id: 'words',
    title: 'The words',
    text: 'their SHA-256, with author, time and salt, is the published hash.',
  },
  { id: 'batch', title: 'The tree', text: 'the hash, folded with its proof, gives the root.' },
  { id: 'chain', title: 'The chain', text: 'the right attester attested that root on the chain.' },
] as const;
