import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor } from './site.ts';

export function mountOpenSealPage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/open', async (request) => openSealPage(siteFor(deps, request)));
}

export function openSealPage(site: Site): Page {
  return narrowPage(
    site,
    {
      title: 'Open a sealed etch',
      description:
        'An opening is a file that the author saved while the etch was sealed. After its time, your browser opens it without this service.',
      lead: 'Your browser shows the words of an opening: a file that the author saved while the etch was sealed. After its time, anyone who has the file can open it without this service.',
      canonical: `${site.baseUrl}/open`,
      islands: ['open.js', 'times.js'],
      readsChain: true,
    },
    <form class="awaits-script" data-open="" hidden>
      {prose`
        The file stays on your machine. At its time the drand network publishes the key, and your browser reads it
        from there.
      `}
      <div class="drop">
        <label for="opening-file">Drop an opening here, or choose the file</label>
        <input id="opening-file" type="file" accept=".json,application/json" />
      </div>
      <div data-result="" role="status"></div>
      <details>
        <summary>Advanced: another relay, a signature, keys</summary>
        <div class="field">
          <label for="relay">Relay of the drand network</label>
          <input id="relay" name="relay" type="text" inputmode="url" value="https://api.drand.sh" />
        </div>
        <div class="field">
          <label for="beacon">Or the signature of the round that the file names, 96 hex digits</label>
          <input id="beacon" name="beacon" type="text" autocomplete="off" spellcheck={false} />
        </div>
        <div class="field">
          <label for="keys">The service’s promise keys, if you noted them</label>
          <input
            id="keys"
            name="keys"
            type="text"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="keys-hint"
          />
          <p class="hint" id="keys-hint">
            The service signs each opening. If the file contains other words than it signed, this key proves
            to anyone that the service broke its promise.
          </p>
        </div>
        <p>
          <button type="submit" class="secondary">
            Open it with these
          </button>
        </p>
      </details>
    </form>,
    <noscript>
      <p class="note">
        {say`
          This needs scripts, which are switched off. ~svc open opening.json --drand https://api.drand.sh~ does the
          same, and so do other tools that open age files with a tlock stanza.
        `}
      </p>
    </noscript>,
    <section aria-labelledby="what-it-shows">
      {prose`
        ## what-it-shows: What it shows

        It shows the words if they have the hash that the opening names and the service signed. The etch’s
        receipt or evidence shows that this hash was on the chain before.

        Before its time, not even the author can open the file or check its content. The members of the drand
        network could open it earlier together. The operator of this service has the words in any case. A
        retraction does not change the file: anyone who has it can still open it.

        A blind seal needs no file: open it on the page of its etch.
      `}
    </section>,
  );
}
