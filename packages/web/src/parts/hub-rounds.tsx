import type { Etch } from '@svc/contract';
import { durationWords, hubTime, type HubWords, readWords } from '@svc/protocol/conventions';
import { Figures } from './lists.tsx';
import { safe } from './values.tsx';

/** By the attestation, against the window that the etch names. */
export function windowText(words: Pick<HubWords, 'opens' | 'closes'>, anchoredAt: string | null): string {
  if (anchoredAt === null) return 'not anchored yet';
  const { state, seconds } = hubTime(words, anchoredAt);
  if (state === 'on_time') return 'on time';
  return state === 'late'
    ? `late, by ${durationWords(seconds)}`
    : `early, ${durationWords(seconds)} before the window`;
}

/**
 * The submissions to forecast hubs among these etches: a row for each, grouped by hub and round.
 * @param isPart the record has other pages
 */
export function HubRounds({ etches, isPart }: { etches: readonly Etch[]; isPart: boolean }) {
  const found = etches.flatMap((etch) => {
    const words = etch.content === null ? null : readWords(etch.content);
    return words?.kind === 'hub' ? [{ etch, words, round: `${words.hub}, round ${words.round}` }] : [];
  });
  const rounds = [...new Set(found.map(({ round }) => round))];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="hub-rounds">
      <h2 id="hub-rounds">Submissions to forecast hubs</h2>
      {isPart && (
        <p class="quiet">
          Only the etches that this page of the record lists. Other pages may have more of a round.
        </p>
      )}
      {rounds.map((round) => (
        <Figures caption={round} heads={['Model', 'Submitted', 'Etch']}>
          {found
            .filter((one) => one.round === round)
            .map(({ etch, words }) => (
              <tr>
                <td>{safe(words.model)}</td>
                <td>{windowText(words, etch.chain.anchored_at)}</td>
                <td>
                  <a href={`/e/${etch.id}`}>{etch.code}</a>
                </td>
              </tr>
            ))}
        </Figures>
      ))}
    </section>
  );
}
