import { isUuid, TAKEDOWN_REASONS, type TakedownReason } from '@svc/contract';
import { Command, Option } from 'commander';
import { takeDown } from '../../acts/moderate.ts';
import { listActs } from '../../acts/moderation-store.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import type { Db } from '../../db/db.ts';
import { findEtchByCode, findEtches } from '../../etches/store.ts';
import { type AdminContext, print } from '../context.ts';
import { doing, refusedAs, signedBy } from '../doing.ts';
import { AdminError, EXIT } from '../exit.ts';
import { withDatabase } from '../open.ts';

/** `svc-admin take-down` */
export function takeDownCommand(context: AdminContext): Command {
  return signedBy(
    new Command('take-down')
      .description(
        'erases a text for good, as its author’s retraction would; the record says that it was the operator',
      )
      .argument('<etch>', 'its id, code or url'),
  )
    .addOption(
      new Option('--reason <reason>', 'why; public beside the record')
        .choices([...TAKEDOWN_REASONS])
        .makeOptionMandatory(),
    )
    .option('--yes', 'do it; without it nothing is changed', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nThe hash, the description and the dates stay, a tombstone goes onto the chain like any other, and it never counts as a\n' +
        'retraction of its author. There is no way back. Backups keep the text until they are gone: see docs/operating.md.',
    )
    .action(
      async (name: string, given: { reason: TakedownReason; by: string; yes: boolean; json: boolean }) => {
        const { reason, by, yes, json } = given;
        await withDatabase(context.config(), async (db) => {
          const etch = await findNamed(db, name);
          if (!etch) throw new AdminError(EXIT.input, `there is no etch ${name}`);
          const about = { etch_id: etch.id, code: etch.code, username: etch.username, reason };
          const what = `${etch.code} (${etch.id}) by ${etch.username}: ${etch.description}`;
          if (!yes) {
            print(context, json, { ...about, taken_down: false }, [
              what,
              `It would be erased for good (${reason}): --yes does it.`,
            ]);
            return;
          }
          await refusedAs(doing(db, by).then((how) => takeDown(db, etch.id, reason, how)));
          await vacuumErased(db);
          print(context, json, { ...about, taken_down: true }, [
            what,
            `It is erased (${reason}), and its tombstone waits for the chain.`,
          ]);
        });
      },
    );
}

async function findNamed(db: Db, name: string) {
  const last = name.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (isUuid(last)) return (await findEtches(db, [last.toLowerCase()]))[0];
  return /^[0-9a-z]{6}$/i.test(last) ? findEtchByCode(db, last) : undefined;
}

/** `svc-admin acts` */
export function actsCommand(context: AdminContext): Command {
  return new Command('acts')
    .description(
      'what operators did to accounts and texts, oldest first: a log to which lines are only added',
    )
    .option('--after <number>', 'go on after this one', '0')
    .option('--limit <number>', 'at most so many', '100')
    .option('--json', 'print JSON', false)
    .action(async ({ after, limit, json }: { after: string; limit: string; json: boolean }) => {
      if (!/^\d{1,12}$/.test(after) || !/^[1-9]\d{0,5}$/.test(limit))
        throw new AdminError(EXIT.usage, '--after and --limit are whole numbers');
      const acts = await withDatabase(context.config(), (db) =>
        listActs(db, { after: Number(after), limit: Number(limit) }),
      );
      print(context, json, { acts }, [
        ...acts.map(({ id, at, act, username, user_id, etch_id, reason, by }) =>
          [id, at, act, username ?? user_id, etch_id, reason, `by ${by}`]
            .filter((part) => part !== null)
            .join('  '),
        ),
        ...(acts.length === Number(limit) ? [`more: --after ${acts.at(-1)!.id}`] : []),
      ]);
    });
}
