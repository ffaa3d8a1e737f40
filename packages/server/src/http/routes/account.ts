import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { addKey, revoke } from '../../accounts/keys.ts';
import type { SocialSync } from '../../accounts/social-sync.ts';
import { findAccount, listKeys, readBucket, renameAccount } from '../../accounts/store.ts';
import { issuedKeyView, limitsView, listedKeyView, meView } from '../../accounts/view.ts';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import type { Limits } from '../../settings/config.ts';
import { operation } from '../operation.ts';
import { idOf } from '../path-id.ts';

export interface AccountRoutes {
  db: Db;
  clock: Clock;
  limits: Limits;
  social: SocialSync;
}

export function mountAccount(api: FastifyInstance, { db, clock, limits, social }: AccountRoutes): void {
  operation(api, ROUTES.getMe, async ({ caller }) => ({
    user: meView((await findAccount(db, caller.userId))!),
  }));

  operation(api, ROUTES.updateMe, async ({ caller, body }) => ({
    user: meView((await renameAccount(db, caller.userId, body.display_name))!),
  }));

  operation(api, ROUTES.syncSocial, async ({ caller, headers }) => ({
    user: meView(await social.sync(caller, bearerToken(headers.authorization))),
  }));

  operation(api, ROUTES.getLimits, async ({ caller }) =>
    limitsView(caller, await readBucket(db, caller.userId, 'etch'), limits, clock.now()),
  );

  operation(api, ROUTES.listKeys, async ({ caller }) => ({
    keys: (await listKeys(db, caller.userId)).map(listedKeyView),
  }));

  operation(api, ROUTES.createKey, async ({ caller, body }) => {
    const at = toTime(clock.now());
    const { row, value } = await addKey(
      db,
      { userId: caller.userId, name: body.name, scope: body.scope ?? 'read', at },
      limits.keysPerAccount,
    );
    return { key: issuedKeyView(row), api_key: value };
  });

  operation(api, ROUTES.revokeKey, async ({ caller, params }) => {
    const id = idOf(params.id, 'no active key of this account has that id');
    return { key: listedKeyView(await revoke(db, clock, caller, id)) };
  });
}
