// Reads the form of a new etch and checks it against the schema of the API.
import { type Sections, SECTIONS, TEMPLATES } from '@svc/protocol/conventions';
import {
  type Answering,
  type EtchDraft,
  KINDS,
  PREREGISTRATION,
  sectionField,
  wordsMisfit,
} from '@svc/web/parts/etch-draft';
import { TERM_NAMES, topicLabel } from '@svc/web/parts/etch-terms';
import type { FastifyRequest } from 'fastify';
import type { EtchRequest } from '../../../acts/creation.ts';
import type { EntryTerms } from '../../../challenges/store.ts';
import { type Detail, Failure } from '../../../platform/failure.ts';
import { toEtchRequest } from '../../routes/etches.ts';
import { checked, filled, type FormFields, typedIn, utcOf } from '../form.ts';
import { forecastPath, partsOf } from './forecast-form.ts';
import { draftId } from './drafts.ts';

// The form of an etch: from its fields to a draft and to the request that creates the etch.
/** @param wrong errors found before */
export function readEtch(request: FastifyRequest, form: FormFields, wrong: readonly Detail[]): EtchRequest {
  let asked: EtchRequest;
  try {
    asked = toEtchRequest(checked(request, 'createEtch', bodyOf(form)));
  } catch (error) {
    if (error instanceof Failure && error.details)
      throw new Failure(error.code, error.message, [...wrong, ...error.details]);
    throw error;
  }
  if (wrong.length > 0) throw new Failure('bad_request', 'the form is not complete', wrong);
  return asked;
}

function bodyOf(form: FormFields): object {
  const { reveal_at: revealAt, ...fields } = filled(
    form,
    'content',
    'description',
    ...TERM_NAMES,
    'reveal_at',
    'mode',
  );
  if (form['challenge_id']) {
    const { content } = fields;
    return { content, category_id: 'other', mode: 'delayed', challenge_id: form['challenge_id'] };
  }
  const isSealed = fields['mode'] !== 'instant';
  return { ...fields, ...(isSealed && revealAt !== undefined && { reveal_at: utcOf(revealAt) }) };
}

/** Without a first line of a convention: the form has fields for it. */
export function exampleOf(template: string): string | undefined {
  if (!Object.hasOwn(TEMPLATES, template)) return undefined;
  return TEMPLATES[template as keyof typeof TEMPLATES].replace(/^svc-.*\n\s*/, '');
}

export function misfitIn(content: string, question: string | undefined): readonly Detail[] {
  const misfit = content.trim() === '' ? null : wordsMisfit(content, question);
  if (misfit === null) return [];
  const isForecast = content.startsWith('svc-') || question === undefined;
  return isForecast
    ? [{ path: 'content', message: `would count as plain text: ${misfit}` }]
    : [{ path: forecastPath(question), message: 'is required' }];
}

export function draftOf(form: FormFields): EtchDraft {
  const { challenge_id, forecast_line: forecast = '' } = form;
  return {
    draft: draftId(form),
    kind: ([...KINDS, PREREGISTRATION] as const).find((kind) => kind === form['kind']),
    ...typedIn(form, 'content', 'files', 'description', ...TERM_NAMES, 'mode', 'reveal_at'),
    sections: sectionsOf(form),
    parts: partsOf(form),
    forecast,
    challenge_id,
  };
}

const sectionsOf = (form: FormFields): Sections =>
  Object.fromEntries(
    SECTIONS.flatMap((name) => {
      const text = form[sectionField(name)]?.trim();
      return text ? [[name, text]] : [];
    }),
  );

export const answeringOf = (terms: EntryTerms): Answering => ({
  id: terms.id,
  question: terms.question,
  topic: topicLabel(terms.category_id),
  revealAt: terms.reveal_at,
});
