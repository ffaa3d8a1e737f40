import { type DrandChain, MOST_BLIND_BYTES } from '@svc/protocol/timelock';
import { spanText } from '../format.ts';
import type { EtchDraft } from './etch-draft.ts';
import { Presets, SealTerms } from './seal-terms.tsx';
import { Choices, DateEntry, Mode } from './form.tsx';

type WhenShownProps = { drand: DrandChain | undefined; draft: EtchDraft; lead: number };

export function WhenShown({ drand, draft, lead }: WhenShownProps) {
  return (
    <Choices name="mode" legend="When it is shown" kind="panels">
      <div class="panel">
        <Mode name="mode" value="instant" checked={draft.mode === 'instant'} title="Public at once">
          Everyone can read it at once.
        </Mode>
      </div>
      <div class="panel">
        <Mode name="mode" value="delayed" checked={draft.mode === 'delayed'} title="Sealed until a date">
          Until then only its hash, its description and the day are public. It opens by itself.
        </Mode>
        {drand && <BlindChoice chain={drand} lead={lead} />}
        <div class="when">
          <Presets />
          <DateEntry
            label="Opens at"
            value={draft.reveal_at}
            hint={`At least ${spanText(lead * 1000)} from now. It cannot be moved later.`}
          />
          <SealTerms
            open={['your name, and the day', 'the description and the topic', 'a hash, and when it opens']}
            hidden={['your words, even from you: save a copy in the next step', 'the exact time of writing']}
            until="then"
          />
        </div>
      </div>
    </Choices>
  );
}

/** A script must encrypt before anything is sent, so the choice is in a template. */
function BlindChoice({ chain, lead }: { chain: DrandChain; lead: number }) {
  const most = MOST_BLIND_BYTES.toLocaleString('en');
  return (
    <>
      <template data-blind={JSON.stringify(chain)} data-lead={lead} data-most={MOST_BLIND_BYTES}>
        <Mode name="mode" value="blind" title="Blind seal until a date">
          Your browser encrypts the words, so this service never has them. Anyone can open them from then on,
          with a key that the drand network publishes. At most {most} bytes: an English letter is one, an
          emoji four.
        </Mode>
      </template>
      <noscript>
        <p class="hint">
          For a blind seal, your browser encrypts the words by a script, and scripts are switched off.{' '}
          <code>svc etch --blind</code> works without a browser.
        </p>
      </noscript>
    </>
  );
}
