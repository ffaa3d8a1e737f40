import { FILES_TAG, FORECAST_TAG, readSections, SECTIONS, sectionWords } from '@svc/protocol/conventions';
import { type EtchDraft, PREREGISTRATION, sectionField } from '@svc/web';
import type { Detail } from '../../../platform/failure.ts';
import { composeForecast, takeForecast } from './forecast-form.ts';

interface Composed {
  content: string;
  wrong: readonly Detail[];
}

/** The draft keeps the words and the fields as typed. */
export function composeWords(draft: EtchDraft, question: string | undefined): Composed {
  switch (draft.kind) {
    case 'text':
      return { content: draft.content, wrong: [] };
    case 'forecast':
      return required('forecast', FORECAST_TAG, composeForecast(draft, question));
    case 'files':
      return required('files', FILES_TAG, composeFiles(draft));
    case PREREGISTRATION:
      return composeSections(draft);
    default:
      return draft.files ? composeFiles(draft) : composeForecast(draft, question);
  }
}

function composeSections({ content, sections = {} }: EtchDraft): Composed {
  const given = content === '' ? sections : (readSections(content) ?? {});
  const missing = SECTIONS.filter((name) => given[name] === undefined);
  return {
    content: content === '' ? sectionWords(sections) : content,
    wrong: missing.map((name) => ({ path: sectionField(name), message: 'is required' })),
  };
}

function required(path: string, tag: string, composed: Composed): Composed {
  if (composed.wrong.length > 0 || composed.content.startsWith(tag)) return composed;
  return { ...composed, wrong: [{ path, message: 'is required' }] };
}

function composeFiles({ content, files = '' }: EtchDraft): Composed {
  if (files === '' || content.startsWith(files)) return { content, wrong: [] };
  if (content.startsWith(FILES_TAG))
    return { content, wrong: [{ path: 'files', message: 'are in your words already: leave one of them' }] };
  return { content: content.trim() === '' ? files : `${files}\n${content}`, wrong: [] };
}

export function takeApart(draft: EtchDraft): void {
  const { files = '', content } = draft;
  const sections = draft.kind === PREREGISTRATION ? readSections(content) : null;
  if (sections) Object.assign(draft, { sections, content: '' });
  else if (files !== '' && content.startsWith(files))
    draft.content = content.slice(files.length).replace(/^\n/, '');
  else if (takeForecast(draft) && draft.kind) draft.kind = 'forecast';
}
