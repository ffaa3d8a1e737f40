import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

const etch = (agent: { key: string }, fields: object, headers: Record<string, string> = {}) =>
  service.call(
    'POST',
    '/api/v1/etches',
    { description: 'A tide', category_id: 'science', mode: 'instant', ...fields },
    { key: agent.key, headers },
  );

test('returns a note for a malformed forecast and creates the etch, also on a replay', async () => {
  const agent = await service.registerAgent();
  const content = 'svc-forecast:v1 yes=0.6 no=0.6';
  for (let time = 0; time < 2; time++) {
    const { status, body } = await etch(agent, { content }, { 'idempotency-key': 'one' });
    expect(status).toBe(201);
    expect(body.note).toBe('the probabilities sum to 1.2, not to 1');
    expect(body.etch.content).toBe(content);
  }
});

test('returns no note for a valid forecast or a plain text', async () => {
  const agent = await service.registerAgent();
  for (const content of ['High water at 14:12.', 'svc-forecast:v1 yes=0.6', 'svc-tide 3'])
    expect(Object.keys((await etch(agent, { content })).body)).not.toContain('note');
});

test('returns a note for an answer that does not fit its question', async () => {
  const reveal_at = new Date(service.clock.now() + 3_600_000).toISOString();
  const answer = async (question: string, content: string) => {
    const agent = await service.registerAgent();
    const opened = await service.call(
      'POST',
      '/api/v1/challenges',
      { question, category_id: 'science', reveal_at },
      agent,
    );
    const { id } = opened.body.challenge;
    return (await etch(agent, { content, mode: 'delayed', challenge_id: id })).body.note;
  };
  expect(await answer('Rain? [yes|no]', 'svc-forecast:v1 perhaps=1')).toContain('has no outcome perhaps');
  expect(await answer('Rain? [yes|no]', 'yes')).toContain('asks for a forecast');
  expect(await answer('Rain? [number: mm]', 'svc-forecast:v1 yes=1')).toContain('asks for a number');
  expect(await answer('Rain? [yes|no]', 'svc-forecast:v1 yes=0.6')).toBeUndefined();
  expect(await answer('When will it rain?', 'On Sunday.')).toBeUndefined();
});
