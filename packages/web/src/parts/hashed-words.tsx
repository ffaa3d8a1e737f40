import { plainWords } from '../plain-words.ts';
import { UNTRANSLATED } from '../untranslated.ts';
import { TextNodes } from './values.tsx';

/** Nodes for an island: hashed or encrypted words, without their syntax. */
export function HashedWords({ content }: { content: string }) {
  const { first, rest } = plainWords(content);
  return (
    <>
      {first !== undefined && (
        <p class="first-line" {...UNTRANSLATED}>
          <TextNodes>{first}</TextNodes>
        </p>
      )}
      {rest !== '' && (
        <blockquote class="words full" {...UNTRANSLATED}>
          <TextNodes>{rest}</TextNodes>
        </blockquote>
      )}
      {first !== undefined && (
        <details>
          <summary>The exact words</summary>
          <code class="exact" {...UNTRANSLATED}>
            <TextNodes>{content}</TextNodes>
          </code>
        </details>
      )}
    </>
  );
}
