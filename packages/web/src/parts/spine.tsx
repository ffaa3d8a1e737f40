import type { Etch } from '@svc/contract';
import type { BlindSeal } from '@svc/protocol/conventions';
import { canBeOpened } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import type { ComponentChildren } from 'preact';
import { takenDownFor } from '../etch-text.ts';
import { atTime, onDay } from './values.tsx';

interface Step {
  title: string;
  shown: ComponentChildren;
  /** undefined: it has not happened */
  at?: string;
}

/** The spine of an etch's page: each step of its life with its time, which the page states nowhere else. */
type SpineProps = {
  site: Site;
  etch: Etch;
  seal?: BlindSeal | undefined;
  /** when the resolution of a forecast was anchored */
  resolvedAt?: string | null | undefined;
};

export function Spine({ site, etch, seal, resolvedAt }: SpineProps) {
  const steps = stepsOf(etch, seal && { due: seal.due, isOpen: canBeOpened(seal, site) });
  if (resolvedAt) steps.push(happened('Resolved', resolvedAt));
  const done = steps
    .filter(({ at }) => at !== undefined)
    .sort((one, other) => (one.at! < other.at! ? -1 : 1));
  return (
    <ol class="spine" aria-label="What happened so far">
      {[...done, ...steps.filter(({ at }) => at === undefined)].map(({ title, shown, at }) => (
        <li class={at === undefined ? undefined : 'done-step'}>
          <strong>{title}</strong>
          <span>{shown}</span>
        </li>
      ))}
    </ol>
  );
}

const happened = (title: string, at: string): Step => ({ title, shown: atTime(at), at });

function stepsOf(etch: Etch, blind?: { due: string; isOpen: boolean }): Step[] {
  const { created_at: created, created_on: day, chain, status, mode, reveal_at: opens } = etch;
  const anchored = status === 'retracted' ? 'Hash anchored' : 'Anchored';
  const steps = [
    created === null ? { title: 'Written', shown: onDay(day), at: day } : happened('Written', created),
    chain.anchored_at === null
      ? { title: anchored, shown: chain.status === 'failed' ? 'the chain is unreachable' : 'soon' }
      : happened(anchored, chain.anchored_at),
  ];
  if (blind)
    steps.push({
      title: blind.isOpen ? 'Can be opened' : 'Opens',
      shown: atTime(blind.due),
      ...(blind.isOpen && { at: blind.due }),
    });
  else if (status === 'sealed') steps.push({ title: 'Opens', shown: atTime(opens) });
  else if (mode === 'delayed' && etch.revealed_at !== null) steps.push(happened('Opened', etch.revealed_at));
  if (etch.retracted_at !== null)
    steps.push(happened(takenDownFor(etch) === null ? 'Retracted' : 'Taken down', etch.retracted_at));
  return steps;
}
