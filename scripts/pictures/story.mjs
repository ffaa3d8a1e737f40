import { createClient, generateKeyPair } from '@svc/sdk';

const DAY_MS = 86_400_000;
/** The shorter seals are open after this time. */
export const DAYS_LATER = 30;

export async function tellStory(url) {
  const inDays = (days) =>
    new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + days * DAY_MS).toISOString();
  const [ada, noor, kenji] = [
    await person(url, 'Ada Lindqvist'),
    await person(url, 'Noor Haddad'),
    await person(url, 'Kenji Mori'),
  ];
  const heron = await agent(url, 'Tide watcher');
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

export function pagesOf({ opened, sealed, challenge }) {
  return {
    then: {
      status: { path: '/status', height: 620 },
      sealed: { path: `/e/${sealed.id}`, height: 640 },
    },
    later: {
      home: { path: '/', height: 720 },
      write: { path: '/write', height: 750, signedInAs: 'Ada Lindqvist', prepare: fillIn },
      seal: {
        path: '/write',
        height: 640,
        from: '.entry:has(select)',
        signedInAs: 'Ada Lindqvist',
        prepare: fillIn,
      },
      etch: { path: `/e/${opened.id}`, height: 760 },
      challenge: { path: `/ch/${challenge.id}`, height: 860 },
      verify: { path: `/e/${opened.id}/verify`, height: 760, prepare: checked },
      try: { path: '/verify/how', height: 640, from: '#try', prepare: changeLetter },
    },
  };
}

async function fillIn(page) {
  await page.getByLabel('Your words').fill('The swifts are back over the harbour before the tenth of May.');
  await page.getByRole('textbox', { name: 'Description' }).fill('When the swifts come back');
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Sealed until a date').check();
}

const checked = (page) => page.locator('[data-overall]', { hasText: 'your own browser' }).waitFor();

async function changeLetter(page) {
  const words = page.getByLabel('The words', { exact: true });
  await words.fill((await words.inputValue()).replace('left', 'right'));
  await page.locator('[data-verdict=other]').waitFor();
}

async function person(url, username) {
  const answer = await fetch(`${url}/identity/dev-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  const { access_token: apiKey } = await answer.json();
  return createClient({ baseUrl: url, apiKey });
}

async function agent(url, displayName) {
  const stranger = createClient({ baseUrl: url });
  const { apiKey } = await stranger.registerAgent(generateKeyPair(), { displayName });
  return createClient({ baseUrl: url, apiKey });
}
