import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { QUICKNET } from '@svc/protocol/timelock';
import { blindSealOf, canBeOpened } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import { atTime } from './values.tsx';
import { Countdown } from './standing.tsx';

/** The page contains only the ciphertext; a script opens it in the browser. */
export function BlindWords({ site, etch, seal }: { site: Site; etch: Etch; seal: BlindSeal }) {
  const { chain: hash, round, due } = seal;
  return (
    <div
      data-unseal={`/api/v1/beacons/${hash}/${round}`}
      data-chain={JSON.stringify(site.drand)}
      data-written={etch.created_at!}
      data-due={due}
    >
      <div class="words-absent sealed">
        {canBeOpened(seal, site) ? (
          <p>
            Anyone can open the words since {atTime(due, 'seconds')}. They are encrypted to{' '}
            <Round round={round} chain={hash} />, and this service never had them.
          </p>
        ) : (
          <p>
            The words are encrypted to <Round round={round} chain={hash} />, and this service never had them.
            <Countdown until={due} />
          </p>
        )}
      </div>
      <div data-opened="" role="status"></div>
      <form class="unseal" hidden>
        <details>
          <summary>With a signature from elsewhere</summary>
          <div class="entry">
            <label for="beacon">The round’s signature, 96 hex digits</label>
            <p class="hint" id="beacon-hint">
              Your browser then reads nothing from this service. Any relay of the drand network publishes the
              signature
              {hash === QUICKNET.hash && (
                <>
                  , such as <code>{`https://api.drand.sh/${hash}/public/${round}`}</code>
                </>
              )}
              .
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
          Scripts are switched off, so this page cannot open the words. <code>{`svc open ${etch.url}`}</code>{' '}
          opens them on your own machine, once they can be opened.
        </p>
      </noscript>
      <details>
        <summary>Show the ciphertext</summary>
        <code class="exact" data-ciphertext="">
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
      <strong>This is a blind seal: the words are encrypted.</strong> The checks cover the ciphertext: its
      hash, author, time and attestation. They do not cover what the ciphertext says, or that it opens at all.
      It is encrypted to <Round round={seal.round} chain={seal.chain} />,{' '}
      {canBeOpened(seal, site) ? (
        <>
          and can be opened now, on <a href={etch.url}>its page</a>.
        </>
      ) : (
        <>and can be opened from {atTime(seal.due, 'seconds')} on.</>
      )}
    </p>
  );
}

export function Round({ round, chain }: { round: number; chain: string }) {
  return (
    <>
      round {round} of the drand chain {chain === QUICKNET.hash ? 'quicknet' : <code>{chain}</code>}
    </>
  );
}
