import { sha256 } from '@noble/hashes/sha2.js';
import {
  comparedName,
  DISCLOSURE_FORMAT,
  fileListWords,
  fileRootWords,
  makeManifest,
  MANIFEST_FORMAT,
  MAX_FILES,
  parseDisclosure,
  parseManifest,
  readWords,
  type SaltedFile,
} from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { compareFiles, type HashedFile } from '../file-comparison.ts';
import { type Dropped, type NamedFile, namedFiles } from '../named-files.ts';
import { Sign, SIGNS } from '../parts/sign.tsx';
import { TextNodes } from '../parts/values.tsx';
import { countText } from '../format.ts';
import { asElement } from './as-element.ts';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function hashFiles(
  files: readonly NamedFile[],
  tell: (message: string) => void,
): Promise<HashedFile[]> {
  if (files.length > MAX_FILES) throw new Error(`At most ${MAX_FILES} files.`);
  const hashed: HashedFile[] = [];
  for (const { name, file } of files) {
    tell(`Hashed ${hashed.length} of ${files.length} files`);
    const hash = sha256.create();
    const reader = file.stream().getReader();
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error(`${name} cannot be read, or changed during the read.`);
      });
      if (done) break;
      hash.update(value);
      size += value.length;
    }
    if (size !== file.size) throw new Error(`${name} changed during the read.`);
    hashed.push({ name, sha256: hex(hash.digest()), size });
  }
  return hashed;
}

const MOST_ROWS = 50;

function Rows({ rows }: { rows: readonly VNode[] }) {
  return (
    <ul class="file-rows">
      {rows.slice(0, MOST_ROWS)}
      {rows.length > MOST_ROWS && <li class="quiet">and {rows.length - MOST_ROWS} more</li>}
    </ul>
  );
}

/** Added in this tab, so that the preview can list it. The salts never leave it. */
interface Added {
  lines: string;
  files: readonly SaltedFile[];
}

const ADDED = 'svc-files';
let added: Added | null = null;

/** Null if these lines were not made in this tab. A browser may refuse to store them. */
function addedFor(lines: string): Added | null {
  try {
    added ??= JSON.parse(sessionStorage.getItem(ADDED) ?? 'null') as Added | null;
  } catch {
    // Nothing was stored.
  }
  return added?.lines === lines ? added : null;
}

export async function addFiles(zone: HTMLElement, dropped: readonly Dropped[]): Promise<void> {
  const field = zone.querySelector('textarea')!;
  const isShort = zone.querySelector<HTMLInputElement>('[type=checkbox]')?.checked ?? false;
  const hashed = await hashFiles(await namedFiles(dropped), (message) => tell(zone, message));
  const names = new Set(hashed.map(({ name }) => comparedName(name)));
  const files = [
    ...(addedFor(field.value)?.files ?? []).filter(({ name }) => !names.has(comparedName(name))),
    ...hashed.map((file) => ({ ...file, salt: hex(crypto.getRandomValues(new Uint8Array(32))) })),
  ];
  put(field, files, isShort);
}

function put(field: HTMLTextAreaElement, files: readonly SaltedFile[], isShort: boolean): void {
  const lines = linesOf(files, isShort);
  added = { lines, files };
  field.value = lines;
  try {
    sessionStorage.setItem(ADDED, JSON.stringify(added));
  } catch {
    // The preview then shows only the number of files.
  }
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function linesOf(files: readonly SaltedFile[], isShort: boolean): string {
  if (files.length === 0) return '';
  if (isShort) return fileListWords(files);
  const { root } = makeManifest(files);
  return fileRootWords({ root, count: files.length });
}

export function listFiles(zone: HTMLElement, lines: string): void {
  const words = readWords(lines);
  if (words.kind !== 'files') return tell(zone, '');
  const found = addedFor(lines);
  const count = words.form === 'root' ? words.count : words.files.length;
  const field = zone.querySelector('textarea');
  const manifest = found && words.form === 'root' ? makeManifest(found.files) : null;
  const remove = (
    <button type="button" class="secondary">
      Remove all
    </button>
  );
  asElement(remove).addEventListener('click', () => put(field!, [], false));
  const short = <input type="checkbox" checked={words.form === 'list'} />;
  asElement(short).addEventListener('change', () => put(field!, found!.files, words.form === 'root'));
  tell(
    zone,
    <div>
      <p hidden={found !== null && !field}>
        <strong>{countText(count, 'file')}</strong>
        {words.form === 'list' && ` in a list of ${lines.length.toLocaleString('en')} characters`}
      </p>
      {found ? (
        <Rows
          rows={found.files.map(({ name, size }) => (
            <li>
              <TextNodes>{name}</TextNodes> <span class="quiet">{sizeText(size)}</span>
            </li>
          ))}
        />
      ) : (
        <p class="quiet">
          This tab no longer has their names. Use the manifest that you saved, or add the files again.
        </p>
      )}
      <p class="actions lesser">
        {manifest && (
          <a
            class="button secondary"
            download={`svc-files-${manifest.root}.json`}
            href={URL.createObjectURL(
              new Blob([`${JSON.stringify(manifest, null, 1)}\n`], { type: 'application/json' }),
            )}
          >
            Save the manifest
          </a>
        )}
        {field && remove}
      </p>
      {field && words.form === 'root' && (
        <p class="hint">Without the manifest you can never show one of these files.</p>
      )}
      {field && found && <label class="box-label">{short} Publish the names and hashes</label>}
    </div>,
  );
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return countText(bytes, 'byte');
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`;
}

function tell(zone: HTMLElement, message: string | VNode): void {
  zone.querySelector('output')!.replaceChildren(typeof message === 'string' ? message : asElement(message));
}

export async function compareWith(zone: HTMLElement, dropped: readonly Dropped[]): Promise<void> {
  const words = readWords(zone.dataset['files']!);
  if (words.kind !== 'files') return;
  const files = await namedFiles(dropped);
  const read = await Promise.all(files.map(async (one) => ({ one, key: await keyIn(one.file) })));
  const others = read.filter(({ key }) => key === null).map(({ one }) => one);
  const key = read.find((one) => one.key !== null)?.key ?? null;
  const compared = compareFiles(words, await hashFiles(others, (message) => tell(zone, message)), key);
  tell(
    zone,
    compared.length === 0 ? (
      'Now add the files as well.'
    ) : (
      <Rows
        rows={compared.map(({ name, isSame, result }) => (
          <li class={isSame ? 'pass' : 'fail'}>
            <Sign d={SIGNS[isSame ? 'pass' : 'fail']} />{' '}
            <span>
              <TextNodes>{name}</TextNodes> <span>{result}</span>
            </span>
          </li>
        ))}
      />
    ),
  );
}

const MOST_KEY_BYTES = 8_000_000;

async function keyIn(file: File) {
  if (!file.name.endsWith('.json') || file.size > MOST_KEY_BYTES) return null;
  let value: { _format?: unknown };
  try {
    value = JSON.parse(await file.text()) as typeof value;
  } catch {
    return null;
  }
  if (value?._format === MANIFEST_FORMAT) return parseManifest(value);
  return value?._format === DISCLOSURE_FORMAT ? parseDisclosure(value) : null;
}
