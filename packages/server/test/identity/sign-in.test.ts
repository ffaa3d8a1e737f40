import { describe, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

describe('a person signed in at the embedded issuer', () => {
  const service = useService();
  const me = (key: string) => service.get('/api/v1/me', key);

  test('gets an account at the first sign-in, and the same one later', async () => {
    const ada = await service.signIn('ada');
    expect(ada.username).toBe('ada');
    const again = await service.signIn('Ada');
    expect(again.userId).toBe(ada.userId);
    expect((await me(ada.token)).body.user).toMatchObject({
      id: ada.userId,
      display_name: 'ada',
      social_handle: null,
      social_linked: false,
    });
  });

  test('changes only the display name', async () => {
    const ada = await service.signIn('ada');
    const answer = await service.call(
      'PATCH',
      '/api/v1/me',
      { display_name: 'Ada of the harbour', username: 'root', social_handle: 'someone' },
      { key: ada.token },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({
      username: 'ada',
      display_name: 'Ada of the harbour',
      social_handle: null,
    });
    expect((await me(ada.token)).body.user.display_name).toBe('Ada of the harbour');
  });
});
