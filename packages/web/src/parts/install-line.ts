export const installLine = (baseUrl: string): string => `npm install ${baseUrl}/install/svc-cli.tgz`;
