import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { type DrandChain, QUICKNET } from '@svc/protocol/timelock';
import type { VNode } from 'preact';
import { blindSealOf } from '../sealed-by-author.ts';
import type { Site } from '../site.ts';
import { Countdown } from './live.tsx';
import { Round } from './round.tsx';
import { Time } from './time.tsx';

/** The page contains only the ciphertext; a script opens it in the browser. */
export function BlindWords({
  etch,
  seal: { chain: hash, round, due },
  chain,
}: {
  etch: Etch;
  seal: BlindSeal;
  chain: DrandChain;
}): VNode {
  return (
    <div
      data-unseal={`/api/v1/beacons/${hash}/${round}`}
      data-chain={JSON.stringify(chain)}
      data-written={etch.created_at!}
      data-due={due}
    >
      <div class="words-absent sealed">
        <p>
          Encrypted to round {round}, due <Time at={due} precision="seconds" />; this page was given no key.
          <Countdown until={due} />
        </p>
      </div>
      <div data-opened="" role="status"></div>
      <form class="unseal" hidden>
        <p>
          <button type="submit" class="secondary">
            Open it in this browser
          </button>
        </p>
        <details>
          <summary>With a signature from elsewhere</summary>
          <div class="entry">
            <label for="beacon">The round’s signature, 96 hex digits</label>
            <p class="hint" id="beacon-hint">
              Then this service is not asked. Any relay of the drand network publishes it
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
      </form>
      <noscript>
        <p class="note">
          Nothing is opened here, for scripts are switched off. From then on{' '}
          <code>{`svc open ${etch.url}`}</code> opens it on your own machine.
        </p>
      </noscript>
      <details>
        <summary>Show the ciphertext</summary>
        <code class="exact" data-ciphertext="">
          {etch.content}
        </code>
      </details>
      <p class="quiet">
        The service never had the words; they open by <Round round={round} chain={hash} />. The ciphertext is
        public: copies of it outlive a retraction, and open all the same.
      </p>
    </div>
  );
}

/** Says what the checks of a blind seal cover. */
export function BlindNote({ site, etch }: { site: Site; etch: Etch }): VNode | null {
  const seal = blindSealOf(etch, site);
  if (seal === undefined) return null;
  return (
    <p class="note">
      <strong>These words are encrypted</strong> to <Round round={seal.round} chain={seal.chain} />, due{' '}
      <Time at={seal.due} precision="seconds" />: a blind seal, not a sealed etch. Its author encrypted them,
      the service never had the text, and whatever is checked here is checked of the ciphertext.
    </p>
  );
}
