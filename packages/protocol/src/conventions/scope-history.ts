import type { ScopeWords } from './scope-words.ts';

export interface DatedScope {
  etch: string;
  /** RFC 3339; null while pending */
  anchored_at: string | null;
  words: ScopeWords;
}

export interface ScopeHistory {
  state: 'declared' | 'widened' | 'broken';
  /** the etch that widened or broke it */
  by: DatedScope | null;
  /** dropped accounts or domain */
  detail: string | null;
  current: DatedScope;
}

const isSameSubject = (a: ScopeWords, b: ScopeWords): boolean =>
  a.subject.normalize('NFC') === b.subject.normalize('NFC');

/**
 * A later scope with the same subject may add accounts. If it drops an account or the domain, the scope is
 * broken (docs/conventions.md#declared-completeness).
 * @param later scopes by the same account, oldest first
 * @example
 * const words = parseScope('svc-scope:v1\nsubject Rain');
 * followScope({ etch: 'a', anchored_at: null, words }, []).state; // 'declared'
 */
export function followScope(declared: DatedScope, later: readonly DatedScope[]): ScopeHistory {
  let current = declared;
  let by: DatedScope | null = null;
  for (const next of later) {
    if (!isSameSubject(declared.words, next.words)) continue;
    const ids = new Set(next.words.accounts.map(({ id }) => id));
    const dropped = current.words.accounts.find(({ id }) => !ids.has(id));
    const { domain } = current.words;
    const detail =
      dropped !== undefined
        ? `it drops the account ${dropped.username} (${dropped.id})`
        : domain !== null && next.words.domain !== domain
          ? `it drops the domain ${domain}`
          : null;
    if (detail !== null) return { state: 'broken', by: next, detail, current };
    if (ids.size > current.words.accounts.length) by = next;
    current = next;
  }
  return { state: by === null ? 'declared' : 'widened', by, detail: null, current };
}

/**
 * Reads `/.well-known/svc-scope.txt`: an account id on each line; `#` begins a comment.
 * @example
 * readScopeList('# my accounts\nba2700ee-b11f-45fe-a934-06098975d379\n'); // ['ba2700ee-b11f-45fe-a934-06098975d379']
 */
export const readScopeList = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
