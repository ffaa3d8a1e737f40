import type { DatedScope, ScopeHistory } from '@svc/protocol/conventions';
import { say } from './prose.tsx';
import { onDay, safe, safeLink } from './values.tsx';

export interface ShownScope {
  declared: DatedScope;
  history: ScopeHistory;
}

export function Scopes({ scopes }: { scopes: readonly ShownScope[] }) {
  if (scopes.length === 0) return null;
  return (
    <ul class="scopes">
      {scopes.map(({ declared, history: { state, by, detail, current } }) => (
        <li>
          {say`
            Declared complete: ${safeLink(`/e/${declared.etch}`, declared.words.subject)},
            ${dateOf(declared)}${
              by !== null && say`, [${state}](/e/${by.etch}) ${dateOf(by)}${detail !== null && `: ${detail}`}`
            }.
            The scope lists this account${current.words.accounts.map(
              ({ username }) => say`, [@${username}](/u/${username})`,
            )}${current.words.domain !== null && say` and the domain ${safe(current.words.domain)}`}.
            ~svc audit --scope ${declared.etch}~ checks each account.
          `}
        </li>
      ))}
    </ul>
  );
}

const dateOf = ({ anchored_at: at }: DatedScope) => (at === null ? 'not anchored yet' : say`on ${onDay(at)}`);
