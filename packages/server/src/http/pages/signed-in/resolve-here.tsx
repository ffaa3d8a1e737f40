// The form that resolves a challenge from the inbox. A page may have many, so no element has an id.
import type { ChallengeListItem } from '@svc/contract';
import { parseQuestion, VOID } from '@svc/protocol/conventions';
import { PostForm } from '@svc/web/parts/form';
import { safe } from '@svc/web/parts/values';

export function ResolveHere({ challenge: { id, question } }: { challenge: ChallengeListItem }) {
  const format = parseQuestion(question);
  if (format.asks === 'text') return null;
  return (
    <details class="resolve-here">
      <summary>Say what came true</summary>
      <PostForm action={`/ch/${id}/resolve`} noValidate sends={{ back: 'inbox' }}>
        {format.asks === 'outcomes' ? (
          <fieldset class="boxes">
            <legend>Outcome</legend>
            {format.outcomes.map((name) => (
              <label class="box-label">
                <input type="radio" name="outcome" value={name} /> {safe(name)}
              </label>
            ))}
            <label class="box-label">
              <input type="radio" name="outcome" value={VOID} /> void: it cannot be decided
            </label>
          </fieldset>
        ) : (
          <>
            <label class="entry">
              <span>The number, in {safe(format.unit)}</span>
              <input type="text" name="outcome" inputmode="decimal" autocomplete="off" />
            </label>
            <label class="box-label">
              <input type="checkbox" name="void" value="on" /> void: it cannot be decided
            </label>
          </>
        )}
        <label class="entry">
          <span>Source, where anyone can check it</span>
          <input type="text" name="source" autocomplete="off" />
        </label>
        <p class="actions">
          <button type="submit" name="step" value="preview">
            Preview
          </button>
        </p>
      </PostForm>
    </details>
  );
}
