import type { Json } from '../json.ts';
import { eventually } from '../wait.ts';
import type { Writer } from './author.ts';
import type { MovableClock } from './movable-clock.ts';
import type { World } from './world.ts';

const OPEN_SECONDS = 1_800;

/** Asks a challenge, answers it, moves the clock until it closes, and resolves it. */
export async function scoredChallenge(
  { world, clock }: { world: World; clock: MovableClock },
  asker: Writer,
  forecasts: readonly (readonly [Writer, string])[],
): Promise<Json> {
  const { challenge } = await asker.call('POST', '/api/v1/challenges', {
    question: 'Does the frost come in May? [yes|no]',
    category_id: 'science',
    reveal_at: new Date(Date.now() + OPEN_SECONDS * 1_000).toISOString(),
  });
  for (const [writer, yes] of forecasts) {
    const content = `svc-forecast:v1 yes=${yes}\nThe nights are clear.`;
    const entry = { description: undefined, mode: 'delayed', challenge_id: challenge.id };
    await writer.anchored((await writer.etch({ content, ...entry })).id);
  }
  await clock.advance(OPEN_SECONDS);
  const description = `svc-resolution:v1 ${challenge.id}`;
  await asker.etch({ content: `${description} yes https://frost.example.org`, description });
  await eventually('the challenge is scored', async () => {
    const { body } = await world.client.call('GET', `/api/v1/challenges/${challenge.id}/score`);
    return body.counts.scored === forecasts.length;
  });
  return challenge;
}
