import { Command } from 'commander';
import { discloseFile } from '@svc/protocol/conventions';
import { answer, type Context, inertJson } from '../context.ts';
import { asRefusal, EXIT } from '../exit.ts';
import { readManifest, sha256, writeNew } from '../files/manifest-file.ts';

export function filesCommand(context: Context): Command {
  const files = new Command('files').description('show one of the committed files, without the others');
  files.addCommand(
    new Command('disclose')
      .description(
        'write a disclosure, which proves one file of a manifest to a reader who has the file and the etch',
      )
      .argument('<manifest>', 'the manifest that svc etch --files wrote')
      .argument('<name>', 'the file’s name in the manifest')
      .option('--out <file>', 'write it to a new file')
      .option('--json', 'print the result as JSON', false)
      .addHelpText(
        'after',
        `
Examples:
  $ svc files disclose svc-files-1f2e3d4c5b6a.json "plans/tide table.csv" --out shown.json
  $ svc verify <etch> --files "tide table.csv" --disclosure shown.json
`,
      )
      .action(async (path: string, name: string, options: { out?: string; json: boolean }) => {
        const manifest = await readManifest(path);
        const disclosure = asRefusal(() => discloseFile(manifest, name, sha256), EXIT.input);
        if (options.out === undefined) return context.out(`${inertJson(disclosure)}\n`);
        await writeNew(options.out, disclosure);
        answer(context, options, { file: options.out, name, root: disclosure.root }, [
          `${options.out} proves ${name} and reveals nothing about the other ${disclosure.files - 1}`,
        ]);
      }),
  );
  return files;
}
