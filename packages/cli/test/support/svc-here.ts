import { Readable } from 'node:stream';
import { runIn } from '../../src/main.ts';
import { freshHome, type Ran } from '../../../../testing/clients/svc.ts';

/** Runs a command in this process, at a tenth of the program's cost, without a terminal. */
export async function svcHere(
  args: string[],
  {
    home = freshHome(),
    env = {},
    input = '',
    terminal = false,
    onErr = () => undefined,
  }: {
    home?: string;
    env?: Record<string, string>;
    input?: string;
    terminal?: boolean;
    onErr?: (text: string) => void;
  } = {},
): Promise<Ran> {
  const ran: Ran = { status: null, out: '', err: '' };
  const status = await runIn(
    {
      env: { HOME: home, XDG_CONFIG_HOME: home, ...env },
      stdin: Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream,
      terminal,
      out: (text) => void (ran.out += text),
      note: (text) => {
        ran.err += text;
        onErr(text);
      },
    },
    args,
  );
  return { ...ran, status };
}
