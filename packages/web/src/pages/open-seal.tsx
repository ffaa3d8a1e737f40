import { renderPage } from '../layout.tsx';
import type { Page, Site } from '../site.ts';

export function openSealPage(site: Site): Page {
  return renderPage(
    site,
    {
      title: 'Open a sealed etch',
      description:
        'An opening is a file that its author kept while the etch was sealed. From its time on your browser opens it, and this service is not asked.',
      canonical: `${site.baseUrl}/open`,
      islands: ['open.js'],
      readsChain: true,
    },
    <div class="narrow prose">
      <header class="page-head">
        <h1>Open a sealed etch</h1>
        <p class="lead">
          An opening is a file that its author kept while the etch was sealed. It is encrypted to a moment:
          from then on anybody who has it opens it, and this service is not asked.
        </p>
      </header>
      <form data-open="" hidden>
        <p>
          The file stays on your machine. The key to it is the signature that the drand network publishes for
          the round it names. Enter it, or name a relay that your browser asks for it.
        </p>
        <div class="drop">
          <label for="opening-file">Drop an opening here, or choose the file</label>
          <input id="opening-file" type="file" accept=".json,application/json" />
        </div>
        <div class="field">
          <label for="relay">Relay of the drand network, asked for the round alone</label>
          <input id="relay" name="relay" type="text" inputmode="url" value="https://api.drand.sh" />
        </div>
        <div class="field">
          <label for="beacon">Or the round’s signature, 96 hex digits</label>
          <input id="beacon" name="beacon" type="text" autocomplete="off" spellcheck={false} />
        </div>
        <div class="field">
          <label for="keys">Keys of promises that you noted of the service, if any</label>
          <input id="keys" name="keys" type="text" autocomplete="off" spellcheck={false} />
        </div>
        <p>
          <button type="submit">Open it</button>
        </p>
        <div data-result="" role="status"></div>
      </form>
      <noscript>
        <p class="note">
          This needs scripts, which are switched off.{' '}
          <code>svc open opening.json --drand https://api.drand.sh</code> does the same, and so do other tools
          that open age files with a tlock stanza.
        </p>
      </noscript>
      <section aria-labelledby="what-it-shows">
        <h2 id="what-it-shows">What it shows</h2>
        <p>
          The words, if they have the hash that the opening names and its service signed. That the hash was on
          the chain before is shown by the etch’s receipt or evidence. A signed opening that holds anything
          else is a promise that the service broke; with its key, noted before, you can show that to anybody.
        </p>
        <p>
          Before its moment nobody can open it, nor test what is in it, its author included. It outlives a
          retraction: whoever has the file can open it, even if the etch was retracted.
        </p>
        <p>A text that its author encrypted, a blind seal, needs no file: the page of its etch opens it.</p>
      </section>
    </div>,
  );
}
