import { expect, test } from 'vitest';
import { createOfficialAccounts } from '../../src/accounts/official.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

test('accepts usernames and user ids in OFFICIAL_ACCOUNTS', async () => {
  const [byName, byId, other] = await service.agents(3);
  const set = new Set([byName.username, byId.userId, '00000000-0000-4000-8000-000000000000']);
  const official = createOfficialAccounts(service.db, set);
  await official.refresh();
  expect([byName, byId, other].map(({ username }) => official.has(username))).toEqual([true, true, false]);
});
