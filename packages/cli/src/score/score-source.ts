import type { PublicChallenge } from '@svc/protocol/conventions';
import type { Client, Etch } from '@svc/sdk';
import type { Account } from '../audit/audit-accounts.ts';
import type { AuditSource } from '../audit/audit-source.ts';

export interface ScoreSource extends AuditSource {
  challenge(id: string): Promise<{ challenge: PublicChallenge; creator: Account }>;
  answerers(id: string): Promise<Account[]>;
}

export function serviceSource(client: Client): ScoreSource {
  return {
    origin: client.origin,
    record: client.record,
    treeLeaves: (...question) => client.treeLeaves(...question),
    findEtch: (...question) => client.findEtch(...question),
    async challenge(id) {
      const { challenge } = await client.getChallenge(id);
      const { question, creator_id, reveal_at, creator } = challenge;
      return {
        challenge: { id, question, creator_id, reveal_at },
        creator: { username: creator.username, user_id: creator_id },
      };
    },
    async answerers(id) {
      const found = new Map<string, Account>();
      for await (const { author } of client.challengeEtches(id, { limit: 100 }))
        found.set(author.user_id, { username: author.username, user_id: author.user_id });
      return [...found.values()];
    },
  };
}

/** Keeps the answers, so that the scored data is the audited data. */
export function capturing(source: ScoreSource): { source: ScoreSource; etches: () => Etch[] } {
  const kept = new Map<string, Etch[]>();
  return {
    etches: () => [...kept.values()].flat(),
    source: {
      ...source,
      record(username, start) {
        const list = source.record(username, start);
        return {
          ...list,
          async *pages() {
            const read: Etch[] = [];
            for await (const page of list.pages()) {
              read.push(...page.etches);
              yield page;
            }
            kept.set(username, read);
          },
        };
      },
    },
  };
}
