import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LocalServer, startServer } from './server.ts';

type Source = { folder: string } | { tarball: string };

interface Manifest {
  name: string;
  version: string;
}

const root = join(import.meta.dirname, '../..');

function installed(): { manifest: Manifest; source: Source }[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  return Object.entries(lock.packages).flatMap(([path, { link }]) => {
    const folder = join(root, path);
    if (!path.includes('node_modules/') || link === true || !existsSync(join(folder, 'package.json')))
      return [];
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    return [{ manifest, source: { folder } }];
  });
}

export async function startLocalRegistry(tarballs: ReadonlyMap<string, string>): Promise<LocalServer> {
  const known = installed();
  for (const [folder, tarball] of tarballs) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    known.push({ manifest, source: { tarball } });
  }
  const server: LocalServer = await startServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, server.url).pathname);
    const asked = /^\/-\/(\d+)\.tgz$/.exec(path)?.[1];
    if (asked !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const { source } = known[Number(asked)]!;
      if ('tarball' in source) return void response.end(readFileSync(source.tarball));
      const { folder } = source;
      const nested = `--exclude=${basename(folder)}/node_modules`;
      const tar = spawn('tar', ['-czf', '-', nested, '-C', dirname(folder), basename(folder)]);
      return void tar.stdout.pipe(response);
    }
    const versions = known.flatMap(({ manifest }, at) =>
      manifest.name === path.slice(1)
        ? [[manifest.version, { ...manifest, dist: { tarball: `${server.url}/-/${at}.tgz` } }] as const]
        : [],
    );
    const latest = versions.at(-1)?.[0];
    response.writeHead(latest === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        name: path.slice(1),
        'dist-tags': { latest },
        versions: Object.fromEntries(versions),
      }),
    );
  });
  return server;
}
