/** The command that installs `svc` from the service itself. */
export const installLine = (baseUrl: string): string => `npm install ${baseUrl}/install/svc-cli.tgz`;
