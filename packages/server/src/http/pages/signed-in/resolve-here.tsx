// The challenges that wait for their creator's outcome, and the form that resolves one in the inbox. A page may have many
// forms, so no element has an id.
import { parseQuestion, VOID } from '@svc/protocol/conventions';
import { partsOfQuestion } from '@svc/web/etch-text';
import { PostForm } from '@svc/web/parts/form';
import { safe } from '@svc/web/parts/values';
import { listUndecided } from '../../../challenges/list-store.ts';
import { findChallenges } from '../../../challenges/store.ts';
import { readOutcomes } from '../../../records/scores/resolution.ts';
import { type HttpDependencies, readContext } from '../../dependencies.ts';

/** Shows at most this many of the reader's closed challenges; the page says if there are more. */
const TO_RESOLVE = 50;

/** Reads more, because a question whose brackets are no format is a free text, which the database cannot check. */
const UNDECIDED_READ = 200;

/** Closed challenges of the reader that ask for a forecast and have no outcome. */
export async function readToResolve(deps: HttpDependencies, userId: string) {
  const undecided = await listUndecided(deps.db, { userId, now: deps.clock.now(), most: UNDECIDED_READ });
  const ids = undecided.flatMap(({ id, question }) => (parseQuestion(question).asks === 'text' ? [] : [id]));
  const rows = (await findChallenges(deps.db, ids.slice(0, TO_RESOLVE))).filter((row) => row !== undefined);
  const outcomes = await readOutcomes(deps.db, rows, readContext(deps));
  return {
    toResolve: rows.filter(({ id }) => outcomes.get(id)?.state === 'open'),
    hasMoreToResolve: ids.length > TO_RESOLVE || undecided.length === UNDECIDED_READ,
  };
}

export function ResolveHere({ id, question }: { id: string; question: string }) {
  const format = parseQuestion(question);
  if (format.asks === 'text') return null;
  const { criteria, source } = partsOfQuestion(question);
  return (
    <details class="resolve-here">
      <summary>Resolve</summary>
      <PostForm action={`/ch/${id}/resolve`} noValidate sends={{ back: 'inbox' }}>
        {criteria !== '' && (
          <p>
            <span class="quiet">Your criteria:</span> {safe(criteria)}
          </p>
        )}
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
          <input type="text" name="source" value={source} autocomplete="off" />
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
