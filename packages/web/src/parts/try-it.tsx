import type { VNode } from 'preact';
import type { TryExample } from '../try-example.ts';
import { AuthorLink } from './author.tsx';
import { Block, Text } from './text.tsx';
import { Time } from './time.tsx';

/** Hashes edited words in the browser; without scripts, it shows a command. */
export function TryIt({ example }: { example: TryExample }): VNode {
  const { words, tryable } = example;
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it here: change a letter</h2>
      <p>
        <Source example={example} /> Change anything, even a comma: your browser hashes the words again and
        sends nothing.
      </p>
      <form class="try" data-try={JSON.stringify(tryable)} hidden>
        <div data-tried="" role="status"></div>
        <label for="tried-words">The words</label>
        <textarea
          id="tried-words"
          rows={3}
          maxlength={2_000}
          spellcheck={false}
          autocomplete="off"
          dir="auto"
        >
          {words}
        </textarea>
        <p>
          <button type="button" class="secondary">
            Put the words back
          </button>
        </p>
        <div data-steps=""></div>
      </form>
      <noscript>
        <p class="note">
          This needs scripts, which are switched off. The command below does the same: run it, change a
          letter, and run it again.
        </p>
      </noscript>
      <p>By hand, the line that is hashed and the command that hashes it:</p>
      <Block>{`printf %s ${quoted(tryable.before + words)} | sha256sum`}</Block>
      <p>
        It prints <code class="exact">{tryable.hash}</code>, and a different hash for different words.
      </p>
    </section>
  );
}

function Source({ example: { etch } }: { example: TryExample }): VNode {
  if (etch === undefined)
    return (
      <>
        Until an etch of this service is open and anchored, these are the words of a test vector, which every
        verifier must agree on (<code>vectors/valid/receipt-instant.json</code>). They are on no chain.
      </>
    );
  const here = `/e/${etch.id}`;
  return (
    <>
      These are the words of{' '}
      <a href={here}>
        “<Text>{etch.description}</Text>”
      </a>{' '}
      by <AuthorLink author={etch.author} id={etch.author.user_id} />, anchored{' '}
      <Time at={etch.chain.anchored_at!} />. <a href={`${here}/verify`}>Its page of checks</a> reads the chain
      as well.
    </>
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
