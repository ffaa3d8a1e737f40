// Reads a unit of systemd, for machines where systemd does not run: the test starts the commands itself.
export interface Unit {
  user: string;
  /** below /var/lib */
  states: string[];
  environment: Record<string, string>;
  /** Lines for a shell: ExecStart, then ExecStartPost. */
  commands: string[];
}

export function readUnit(text: string): Unit {
  const values = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value]) => value!);
  return {
    user: values('User')[0]!,
    states: values('StateDirectory').flatMap((names) => names.split(' ')),
    environment: Object.fromEntries(
      values('Environment').map((line) => [line.split('=')[0]!, line.slice(line.indexOf('=') + 1)]),
    ),
    commands: [...values('ExecStart'), ...values('ExecStartPost')].map(
      (command) =>
        `umask ${values('UMask')[0]}; cd ${values('WorkingDirectory')[0]}; exec ${command.replaceAll('%%', '%')}`,
    ),
  };
}
