import { expect, it } from 'vitest';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { textOf } from '../../../../testing/views.ts';

const service = useService({ chain: true });
const reader = newReader(() => service.baseUrl);

it('shows the scopes that an account declared, and how later ones changed them', async () => {
  const [author, other, third] = [
    await service.registerAgent(),
    await service.registerAgent(),
    await service.registerAgent(),
  ];
  const page = async () => textOf((await reader.open(`/u/${author.username}`)).text);
  const declare = async (...lines: string[]) => {
    const { id } = await service.etch(author, { content: ['svc-scope:v1', ...lines].join('\n') });
    await service.anchor();
    return id;
  };
  const account = ({ userId, username }: typeof other) => `account ${userId} ${username}`;
  expect(await page()).not.toContain('Declared complete');

  await service.etch(author, {
    content: 'svc-scope:v1\nsubject Sealed',
    mode: 'delayed',
    reveal_at: new Date(service.clock.now() + 3_600_000).toISOString(),
  });
  await declare('subject Own', account(author));
  await declare('subject Malformed', 'account nobody');
  expect(await page()).not.toContain('Declared complete');

  const first = await declare('subject Rain <b>', account(other), 'domain example.org');
  expect(await page()).toMatch(
    new RegExp(
      `Declared complete: Rain <b> ?, on [^.]*\\. The scope lists this account, @${other.username} and the domain example.org`,
    ),
  );
  await declare('subject Rain <b>', account(other), account(third), 'domain example.org');
  expect(await page()).toMatch(
    new RegExp(
      `Rain <b> ?, on [^,]*, widened on [^.]*\\. The scope lists this account, @${other.username}, @${third.username}`,
    ),
  );
  await declare('subject Rain <b>', account(other), 'domain example.org');
  expect(await page()).toContain(`: it drops the account ${third.username} (${third.userId})`);
  expect(await page()).toContain(`svc audit --scope ${first}`);
});
