// Finds the etch, challenge or account that a path, an embed or a search text names.
import { type ChallengeCounts, type ChallengeDetail, CODE, isUuid } from '@svc/contract';
import { isHex } from '@svc/protocol';
import { accountCard, type Card, type CardSubject, challengeCard, etchCard } from '@svc/web/cards/card';
import { nameOf, questionText, titleOf, type ShownEtch } from '@svc/web/etch-text';
import type { FastifyRequest } from 'fastify';
import { findTree } from '../../anchoring/index.ts';
import { findChallengeByCode, findChallengeDetail, findChallenges } from '../../challenges/store.ts';
import { challengeCounts, challengeDetailView } from '../../challenges/view.ts';
import type { Queryable } from '../../db/db.ts';
import type { EtchReader } from '../../etches/store.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchView } from '../../etches/view.ts';
import { Failure } from '../../platform/failure.ts';
import { listBlindSeals, withBlindSeals } from '../../records/blind-store.ts';
import { findAccountByUsername } from '../../records/record-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { whoOf } from '../rate-limits.ts';
import { answerRecord } from '../routes/records.ts';
import { answerDistributionReader, resultOf, withResolvedSubjects } from './page-data.ts';
import { localPath } from './session.ts';
import { siteOf } from './site.ts';

const CODE_FORM = new RegExp(CODE, 'i');

export const etchFinder =
  (reader: EtchReader) =>
  (name: string): Promise<EtchRow> => {
    if (isUuid(name)) return reader.get(name.toLowerCase());
    if (CODE_FORM.test(name)) return reader.getByCode(name);
    throw new Failure('not_found', 'no etch has this address');
  };

const NO_CHALLENGE = 'no challenge has this address';

export const challengeFinder =
  (db: Queryable) =>
  async (name: string): Promise<string> => {
    if (isUuid(name)) return name.toLowerCase();
    const found = CODE_FORM.test(name) ? await findChallengeByCode(db, name) : undefined;
    if (!found) throw new Failure('not_found', NO_CHALLENGE);
    return found.id;
  };

interface PageSubject {
  path: CardSubject;
  readCard: () => Promise<Card>;
  title: string;
  author: { username: string; display_name: string };
  shortUrl: string | null;
  etch?: ShownEtch;
  challenge?: ChallengeDetail;
}

export type SubjectKind = 'e' | 'ch' | 'u';

/** Returns public fields only. */
export function subjectFinder(
  deps: HttpDependencies,
): (kind: SubjectKind, name: string, request: FastifyRequest) => Promise<PageSubject> {
  const { db, clock, view } = deps;
  const site = siteOf(deps);
  const findEtch = etchFinder(deps.etches.reader);
  const findChallengeId = challengeFinder(db);
  const readDistribution = answerDistributionReader(deps);

  return async (kind, name, request) => {
    if (kind === 'e') {
      const [shown] = await withResolvedSubjects(deps, [etchView(await findEtch(name), clock.now(), view)]);
      const etch = shown!;
      const { author, short_url: shortUrl } = etch;
      const title = titleOf(etch);
      const readCard = async () => etchCard(site, etch);
      return { path: `/e/${etch.id}`, readCard, title, author, shortUrl, etch };
    }
    if (kind === 'ch') {
      const row = await findChallengeDetail(db, await findChallengeId(name));
      if (!row) throw new Failure('not_found', NO_CHALLENGE);
      const now = clock.now();
      const challenge = challengeDetailView(row, now, view);
      const { creator: author, short_url: shortUrl } = challenge;
      const title = questionText(challenge.question);
      const readCard = async () => readChallengeCard(request, challenge, challengeCounts(row, now));
      return { path: `/ch/${challenge.id}`, readCard, title, author, shortUrl, challenge };
    }
    const { user, counts } = await answerRecord(deps, name, { limit: '1', who: whoOf(request) });
    const title = `${nameOf(user)} (@${user.username})`;
    const readCard = async () => {
      const seals = await listBlindSeals(db, [user.user_id], view.drand);
      return accountCard(site, user, withBlindSeals(counts, seals.length));
    };
    return { path: `/u/${user.username}`, readCard, title, author: user, shortUrl: null };
  };

  async function readChallengeCard(
    request: FastifyRequest,
    challenge: ChallengeDetail,
    counts: ChallengeCounts,
  ) {
    const result = await resultOf(deps, request, challenge);
    const distribution = (await readDistribution(challenge, counts))?.distribution;
    return challengeCard(site, challenge, { counts, ...result, distribution });
  }
}

const isLink = (text: string): boolean => /^https?:/i.test(text) && URL.canParse(text);

/** Ignores the scheme, because a link may be typed as `http://`. */
const isHere = (link: string, baseUrl: string): boolean => new URL(link).host === new URL(baseUrl).host;

/** Reads a URL of this service, `@name`, an id, a hash (of an etch, then of a tree), or a code. */
export async function findAddressOf(
  { db, baseUrl, etches }: HttpDependencies,
  typed: string,
): Promise<string | undefined> {
  const q = typed.trim();
  const { reader } = etches;
  if (isLink(q) && isHere(q, baseUrl)) {
    const { pathname, search } = new URL(q);
    return localPath(pathname + search);
  }
  const name = /^@([a-z0-9_]{3,80})$/i.exec(q)?.[1]?.toLowerCase();
  if (name !== undefined) return (await findAccountByUsername(db, name)) && `/u/${name}`;
  if (isUuid(q)) {
    const id = q.toLowerCase();
    if (await orNothing(reader.get(id))) return `/e/${id}`;
    return (await findChallenges(db, [id]))[0] && `/ch/${id}`;
  }
  const hash = q.replace(/^0x/i, '').toLowerCase();
  if (isHex(hash, 32)) {
    const etch = await orNothing(reader.getByHash(hash));
    if (etch) return `/e/${etch.id}`;
    const tree = (await findTree(db, hash, 0)) ?? (await findTree(db, hash, 1));
    return tree ? `/trees/${hash}` : undefined;
  }
  if (!CODE_FORM.test(q)) return undefined;
  const etch = await orNothing(reader.getByCode(q));
  if (etch) return `/e/${etch.id}`;
  const challenge = await findChallengeByCode(db, q);
  return challenge && `/ch/${challenge.id}`;
}

/** Says why `findAddressOf` found nothing. */
export function missText(typed: string, baseUrl: string): string {
  const q = typed.trim();
  if (isLink(q) && !isHere(q, baseUrl))
    return 'This link belongs to another site. Give the receipt file of the etch.';
  if (/^[{<]/.test(q))
    return 'A browser with scripts checks a receipt. Turn scripts on, or use the command line: svc verify receipt.json.';
  if (CODE_FORM.test(q)) return 'No etch or challenge here has this code.';
  const digits = /^(?:0x)?([0-9a-f]+)$/i.exec(q)?.[1]?.length ?? 64;
  if (digits !== 64) return `A hash has 64 digits; this has ${digits}.`;
  return 'Nothing here has this link, hash or code. For a receipt of another service, choose its file.';
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}
