import type { Provoking, StatusLine } from './provoking.ts';

export function scoreStatusLines(given: Provoking): StatusLine[] {
  const { provoke, narrow } = given;
  return [
    ['scoreAccount', 200, () => provoke('scoreAccount', { path: { username: given.agent.username } })],
    ['scoreAccount', 404, () => provoke('scoreAccount')],
    [
      'scoreAccount',
      422,
      async () => {
        const { key, username } = await narrow.registerAgent();
        await narrow.etch({ key }, { content: 'svc-forecast:v1 yes=0.7' });
        return provoke('scoreAccount', { on: narrow, path: { username } });
      },
    ],
    ['scoreChallenge', 200, () => provoke('scoreChallenge', { path: { id: given.challengeId } })],
    ['scoreChallenge', 404, () => provoke('scoreChallenge')],
    [
      'scoreChallenge',
      422,
      async () => {
        const { key } = await narrow.registerAgent();
        const question = { ...given.questionBody(), question: 'Will it? [yes|no]' };
        const { body } = await narrow.call('POST', '/api/v1/challenges', question, { key });
        const { id } = body.challenge;
        await narrow.etch({ key }, { mode: 'delayed', challenge_id: id });
        return provoke('scoreChallenge', { on: narrow, path: { id } });
      },
    ],
  ];
}
