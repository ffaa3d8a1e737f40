import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { QUICKNET } from '@svc/protocol/timelock';
import { blindSealOf, canBeOpened } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import { say } from './prose.tsx';
import { Seal } from './seal.tsx';
import { Countdown } from './status-notice.tsx';
import { atTime, roundOf } from './values.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

/** The page contains only the ciphertext; a script opens it in the browser. */
export function BlindWords({ site, etch, seal }: { site: Site; etch: Etch; seal: BlindSeal }) {
  const { chain: hash, round, due } = seal;
  const isOpen = canBeOpened(seal, site);
  return (
    <div
      data-unseal={`/api/v1/beacons/${hash}/${round}`}
      data-chain={JSON.stringify(site.drand)}
      data-written={etch.created_at!}
      data-due={due}
    >
      <div class="words-absent sealed">
        <Seal state="sealed" large />
        {isOpen ? (
          <p>Anyone can open the words now.</p>
        ) : (
          <>
            <h2 id="standing">Blind seal. It opens for everyone</h2>
            <p>
              <Countdown until={due} now={site.now} />
            </p>
          </>
        )}
        <p>The words are encrypted to {roundOf(round, hash)}, and this service never had them.</p>
      </div>
      <div class="broken-seal" data-broken="" hidden>
        <Seal state="revealed" large />
      </div>
      <div data-opened="" role="status"></div>
      <form class="unseal" hidden>
        <details>
          <summary>With a signature from elsewhere</summary>
          <div class="entry">
            <label for="beacon">The round’s signature, 96 hex digits</label>
            <p class="hint" id="beacon-hint">
              {say`
                Your browser then reads nothing from this service. Any relay of the drand network publishes the
                signature${
                  hash === QUICKNET.hash && say`, such as ~https://api.drand.sh/${hash}/public/${round}~`
                }.
              `}
            </p>
            <input
              id="beacon"
              class="mono"
              type="text"
              autocomplete="off"
              spellcheck={false}
              aria-describedby="beacon-hint"
            />
          </div>
        </details>
        <p>
          <button type="submit" class="secondary">
            Open it in this browser
          </button>
        </p>
      </form>
      <noscript>
        <p class="note">
          {say`
            Scripts are switched off, so this page cannot open the words. ~svc open ${etch.url}~ opens them on
            your own machine, once they can be opened.
          `}
        </p>
      </noscript>
      <details>
        <summary>Show the ciphertext</summary>
        <code class="exact" {...UNTRANSLATED} data-ciphertext="">
          {etch.content}
        </code>
      </details>
      <p class="quiet">
        The ciphertext is public. Copies of it outlive a retraction and can still be opened.
      </p>
    </div>
  );
}

export function BlindNote({ site, etch }: { site: Site; etch: Etch }) {
  const seal = blindSealOf(etch, site);
  if (seal === undefined) return null;
  return (
    <p class="note">
      {say`
        **This is a blind seal: the words are encrypted.** The checks cover the ciphertext: its hash, author, time
        and attestation. They do not cover what the ciphertext says, or that it opens at all. It is encrypted to
        ${roundOf(seal.round, seal.chain)}, and can be opened ${
          canBeOpened(seal, site)
            ? say`now, on [its page](${etch.url})`
            : say`from ${atTime(seal.due, 'seconds')} on`
        }.
      `}
    </p>
  );
}
