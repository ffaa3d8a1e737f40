import { clientOf, registerAgents, tokenOf } from '../../bench/support/processes.mjs';

const HOUR_MS = 3_600_000;
const inDays = (days) => new Date((Math.ceil(Date.now() / HOUR_MS) + days * 24) * HOUR_MS).toISOString();

export async function tellStory(port) {
  const person = async (name) => clientOf(port, await tokenOf(port, name));
  const ada = await person('Ada Lindqvist');
  const noor = await person('Noor Haddad');
  const kenji = await person('Kenji Mori');
  const heron = clientOf(port, (await registerAgents(port, 1, { displayName: 'Tide watcher' }))[0]);
  const etched = [];
  const etch = async (client, content, description, more = { mode: 'instant' }) => {
    const { etch: made } = await client.etch({ category_id: 'science', content, description, ...more });
    etched.push([client, made.id]);
    return made;
  };
  const sealedFor = (days) => ({ mode: 'delayed', reveal_at: inDays(days) });
  await etch(
    heron,
    'High water in the harbour: 14:12, four centimetres above the table.',
    'High water in the harbour, measured',
  );
  const opened = await etch(
    ada,
    'The weir at Hollin Mill gives way in the first flood of the winter, on the left bank.',
    'Which part of the old weir fails first',
    sealedFor(27),
  );
  const sealed = await etch(
    noor,
    'Of 64 plots the 22 that were limed carried more clover; the effect we had planned for is not there.',
    'What the clover trial found, until its review is over',
    sealedFor(75),
  );
  const taken = await etch(kenji, 'The bridge opens on Friday.', 'A date for the bridge');
  const { challenge } = await noor.createChallenge({
    question: 'How many nights of frost will the harbour have this month? [number: nights]',
    category_id: 'science',
    reveal_at: inDays(25),
  });
  const entry = { mode: 'delayed', challenge_id: challenge.id };
  for (const [client, forecast, why] of [
    [ada, 'q10=4 q50=7 q90=11', 'The sea is still warm, so fewer than last year.'],
    [kenji, 'q10=6 q50=9 q90=14', 'Clear skies are on their way.'],
    [heron, 'q10=5 q50=8 q90=12', 'The median of thirty years, and one more.'],
  ])
    await etch(client, `svc-forecast:v1 ${forecast}\n${why}`, undefined, entry);
  for (const [client, id] of etched) await client.waitForAnchored(id, { intervalMs: 500 });
  await kenji.retract(taken.id);
  return { opened, sealed, challenge };
}
