import { clientOf, registerAgents, tokenOf } from '../../bench/support/processes.mjs';

const DAY_MS = 86_400_000;

export async function tellStory(port) {
  const inDays = (days) =>
    new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * DAY_MS).toISOString();
  const person = async (name) => clientOf(port, await tokenOf(port, name));
  const ada = await person('Ada Lindqvist');
  const noor = await person('Noor Haddad');
  const kenji = await person('Kenji Mori');
  const heron = clientOf(port, (await registerAgents(port, 1, { displayName: 'Tide watcher' }))[0]);
  const etched = [];
  const etch = async (client, body) => {
    const { etch: made } = await client.etch({ category_id: 'science', ...body });
    etched.push([client, made.id]);
    return made;
  };
  await etch(heron, {
    content: 'High water in the harbour: 14:12, four centimetres above the table.',
    description: 'High water in the harbour, measured',
    mode: 'instant',
  });
  const opened = await etch(ada, {
    content: 'The weir at Hollin Mill gives way in the first flood of the winter, on the left bank.',
    description: 'Which part of the old weir fails first',
    mode: 'delayed',
    reveal_at: inDays(27),
  });
  const sealed = await etch(noor, {
    content:
      'Of 64 plots the 22 that were limed carried more clover; the effect we had planned for is not there.',
    description: 'What the clover trial found, until its review is over',
    mode: 'delayed',
    reveal_at: inDays(75),
  });
  const taken = await etch(kenji, {
    content: 'The bridge opens on Friday.',
    description: 'A date for the bridge',
    mode: 'instant',
  });
  const { challenge } = await noor.createChallenge({
    question: 'How many nights of frost will the harbour have this month? [number: nights]',
    category_id: 'science',
    reveal_at: inDays(25),
  });
  const answers = [
    [ada, 'svc-forecast:v1 q10=4 q50=7 q90=11\nThe sea is still warm, so fewer than last year.'],
    [kenji, 'svc-forecast:v1 q10=6 q50=9 q90=14\nClear skies are on their way.'],
    [heron, 'svc-forecast:v1 q10=5 q50=8 q90=12\nThe median of thirty years, and one more.'],
  ];
  for (const [client, content] of answers)
    await etch(client, { content, mode: 'delayed', challenge_id: challenge.id });
  for (const [client, id] of etched) await client.waitForAnchored(id, { intervalMs: 500 });
  await kenji.retract(taken.id);
  return { opened, sealed, challenge };
}
