import { discloseFile } from '@svc/protocol/conventions';
import { command, group } from '../command.ts';
import { asRefusal, EXIT } from '../exit.ts';
import { readManifest, sha256, writeNew } from '../files/manifest-file.ts';
import { JSON_OUTPUT } from '../options.ts';

const disclose = command(
  'disclose',
  'write a disclosure, which proves one file of a manifest to a reader who has the file and the etch',
  {
    input: {
      '<manifest>': 'the manifest that svc etch --files wrote',
      '<name>': 'the file’s name in the manifest',
      '--out <file>': 'write it to a new file',
      ...JSON_OUTPUT,
    },
    examples: [
      'svc files disclose svc-files-1f2e3d4c5b6a.json "plans/tide table.csv" --out shown.json',
      'svc verify <etch> --files "tide table.csv" --disclosure shown.json',
    ],
    async run({ manifest: path, name, out: file }) {
      const manifest = await readManifest(path);
      const disclosure = asRefusal(() => discloseFile(manifest, name, sha256), EXIT.input);
      if (file === undefined) return { value: disclosure };
      await writeNew(file, disclosure);
      const { root, files } = disclosure;
      const words = [`${file} proves ${name} and reveals nothing about the other ${files - 1}`];
      return { value: { file, name, root }, words };
    },
  },
);

export const filesCommand = group('files', 'show one of the committed files, without the others', [disclose]);
