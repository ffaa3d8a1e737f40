import type { TryExample } from '../try-example.ts';
import { authorLink } from './author.tsx';
import { prose, say } from './prose.tsx';
import { atTime, safe } from './values.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

/** Hashes edited words in the browser; without scripts, it shows a command. */
export function TryIt({ example }: { example: TryExample }) {
  const { words, tryable } = example;
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it here: change a letter</h2>
      <p>
        {say`
          ${source(example)} Change anything, even a comma: your browser hashes the words again and sends nothing.
        `}
      </p>
      <form class="try awaits-script" data-try={JSON.stringify(tryable)} hidden>
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
      <details>
        <summary>Hash the words on the command line</summary>
        {prose`
        | printf %s ${quoted(tryable.before + words)} | sha256sum

        It prints ${(
          <code class="exact" {...UNTRANSLATED}>
            {tryable.hash}
          </code>
        )}, and a different hash for different words.
      `}
      </details>
    </section>
  );
}

function source({ etch }: TryExample) {
  if (etch === undefined)
    return say`
      These words are an example. They are on no chain.
    `;
  const here = `/e/${etch.id}`;
  const author = authorLink(etch.author, etch.author.user_id);
  return say`
    These are the words of [“${safe(etch.description)}”](${here}) by ${author}, anchored
    ${atTime(etch.chain.anchored_at!)}. [Its page of checks](${here}/verify) reads the chain as well.
  `;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const step = (title: string, text: string, picture: string) => (
  <li>
    <svg viewBox="0 0 72 48" width="72" height="48" aria-hidden="true" focusable="false">
      <path d={picture} />
    </svg>
    <span>
      <strong>{title}</strong> {text}
    </span>
  </li>
);

export const Way = () => (
  <ol class="way" aria-label="The way of a text to the chain">
    {step(
      'The words',
      'with their author’s id, the time and a salt, in one line',
      'M6 10h44M6 20h60M6 30h52M6 40h26',
    )}
    {step(
      'The hash',
      'SHA-256 of that line; public from the first moment',
      'M4 12h64v24H4zM14 18v12M14 24h6M20 18v12M28 20h8M28 28h8M30 16v16M34 16v16M44 18l8 12M52 18l-8 12M60 18v12',
    )}
    {step(
      'The tree',
      'many hashes folded, two by two, into one root',
      'M36 8L18 24M36 8l18 16M18 24L9 40M18 24l9 16M54 24l-9 16M54 24l9 16M39 8a3 3 0 1 1-6 0 3 3 0 1 1 6 0M21 24a3 3 0 1 1-6 0 3 3 0 1 1 6 0M57 24a3 3 0 1 1-6 0 3 3 0 1 1 6 0',
    )}
    {step(
      'The chain',
      'an attestation that holds the root, read from any node',
      'M4 16h16v16H4zM28 16h16v16H28zM52 16h16v16H52zM20 24h8M44 24h8M32 24l3 3 5-6',
    )}
  </ol>
);
