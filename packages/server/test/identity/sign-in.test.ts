import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const me = async (key: string) => (await service.get('/api/v1/me', key)).body.user;

test('a person gets an account at the first sign-in, and the same one later', async () => {
  const ada = await service.signIn('ada');
  expect(ada.username).toBe('ada');
  expect((await service.signIn('Ada')).userId).toBe(ada.userId);
  const social = { social_handle: null, social_linked: false };
  expect(await me(ada.token)).toMatchObject({ id: ada.userId, display_name: 'ada', ...social });
});

test('a person changes only the display name', async () => {
  const { key } = await service.signIn('ada');
  const changes = { display_name: 'Ada of the harbour', username: 'root', social_handle: 'someone' };
  const answer = await service.call('PATCH', '/api/v1/me', changes, { key });
  expect(answer.status).toBe(200);
  const user = { username: 'ada', display_name: 'Ada of the harbour', social_handle: null };
  expect(answer.body.user).toMatchObject(user);
  expect(await me(key)).toMatchObject(user);
});
