// Makes the Debian packages of a release. The same commit gives the same bytes: dpkg-deb sorts the files, and this
// module sets their modes, times and owners.
import { createHash } from 'node:crypto';
import { chmod, lutimes, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { imageFiles, imageSbom } from './image.mjs';
import { ROOT, SetupError, call, outputOf, readJson } from './prerequisites/run.mjs';

const AT = 'usr/lib/commitment-service';
const ENV = 'etc/commitment-service/env';
const TRIAL_HINT =
  '# A trial starts as this file is. For production remove the # of each setting, and replace its example.';
/** The settings of a trial. The other lines of deploy/minimal.env are comments. */
const TRIAL = /^(?:#|BASE_URL=|DATA_DIR=|LEDGER_DIR=)/;
const EXAMPLES = ['Caddyfile', 'alerts.yml', 'grafana-dashboard.json', 'nginx.conf', 'nginx-service.conf'];
const COMPLETIONS = {
  bash: (program) => `bash-completion/completions/${program}`,
  zsh: (program) => `zsh/vendor-completions/_${program}`,
  fish: (program) => `fish/vendor_completions.d/${program}.fish`,
};

/**
 * Writes svc-cli and commitment-service, for the system of this machine, because the development chain is a binary.
 * @param {string} out the folder for both
 * @param {{ version: string, date: string, maintainer: string, homepage: string }} release
 * @returns {Promise<string[]>} the names of the files
 */
export async function debianPackages(out, release) {
  if ((await outputOf('dpkg-deb', ['--version'])) === undefined)
    throw new SetupError('dpkg-deb is missing. Install dpkg, or add --no-debian.');
  const system = await call('dpkg', ['--print-architecture']);
  const names = [];
  for (const [name, architecture, fill] of [
    ['svc-cli', 'all', fillCli],
    ['commitment-service', system, fillService],
  ]) {
    const folder = join(out, 'staged', name);
    await rm(folder, { recursive: true, force: true });
    await fill(folder, release);
    await addDocuments(folder, name, release);
    names.push(await pack(out, folder, { name, architecture, ...release }));
  }
  return names;
}

async function fillCli(folder) {
  await put(folder, 'usr/lib/svc-cli/svc.mjs', await source('packages/server/dist/install/svc.mjs'), 0o755);
  await link(folder, 'usr/bin/svc', '../lib/svc-cli/svc.mjs');
  await addProgram(folder, 'svc', 1, 'packages/cli');
}

async function fillService(folder, { date }) {
  const { files, links } = await imageFiles();
  const documents = await call('git', ['ls-files', '--', 'docs', ':!docs/test']);
  for (const { path } of files) {
    const contents = await source(path);
    await put(folder, join(AT, path), contents, isProgram(contents) ? 0o755 : 0o644);
  }
  // The service serves them, also as samples that readers download.
  for (const path of documents.split('\n')) await put(folder, join(AT, path), await source(path));
  for (const name of EXAMPLES)
    await put(
      folder,
      join('usr/share/doc/commitment-service/examples', name),
      await source(`deploy/${name}`),
    );
  for (const { path, to } of links) await link(folder, join(AT, path), to);
  await put(folder, join(AT, 'sbom.cdx.json'), `${JSON.stringify(imageSbom(date), null, 2)}\n`);
  await put(folder, 'usr/bin/svc-admin', await source(`deploy/debian/commitment-service/svc-admin`), 0o755);
  await addProgram(folder, 'svc-admin', 8, 'packages/server');
  const minimal = await source('deploy/minimal.env', 'utf8');
  const settings = minimal.trim().split('\n');
  const env = settings.map((line) =>
    TRIAL.test(line) ? line.replace(/^BASE_URL=.*/, 'BASE_URL=http://127.0.0.1:3000') : `#${line}`,
  );
  await put(folder, ENV, `${TRIAL_HINT}\n${env.join('\n')}\n`);
  for (const unit of await readdir(join(ROOT, 'deploy/systemd'))) {
    const text = await source(`deploy/systemd/${unit}`, 'utf8');
    const installed = text.replaceAll('/opt/commitment-service', `/${AT}`).replaceAll("'./svc ", "'svc ");
    await put(folder, `usr/lib/systemd/system/${unit}`, installed);
  }
  await put(folder, 'DEBIAN/conffiles', `/${ENV}\n`);
  for (const script of ['postinst', 'prerm', 'postrm'])
    await put(folder, `DEBIAN/${script}`, await source(`deploy/debian/commitment-service/${script}`), 0o755);
}

/** The manual page of a program and its completion. */
async function addProgram(folder, program, section, of) {
  const page = `${program}.${section}`;
  await put(folder, `usr/share/man/man${section}/${page}.gz`, zip(await source(`${of}/dist/${page}`)));
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    const script = await call(process.execPath, [
      join(ROOT, of, 'bin', `${program}.mjs`),
      'completion',
      shell,
    ]);
    await put(folder, join('usr/share', path(program)), `${script}\n`);
  }
}

async function addDocuments(folder, name, { version, date, maintainer, homepage }) {
  const doc = join('usr/share/doc', name);
  const { license } = readJson('package.json');
  const day = new Date(date).toUTCString().replace('GMT', '+0000');
  const entry = `${name} (${version}-1) stable; urgency=medium\n\n  * Release ${version}: see changelog.gz.\n\n -- ${maintainer}  ${day}\n`;
  await put(folder, join(doc, 'changelog.gz'), zip(await source('CHANGELOG.md')));
  await put(folder, join(doc, 'changelog.Debian.gz'), zip(entry));
  const terms = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: commitment-service
Source: ${homepage}
Comment: The packages of other authors are next to their licenses, or have them
 at the end of the file.

Files: *
Copyright: ${new Date(date).getUTCFullYear()} the authors of the Commitment Service
License: ${license}
 The text of the license is in /usr/share/common-licenses/Apache-2.0.
`;
  await put(folder, join(doc, 'copyright'), terms);
  const overrides = await source(`deploy/debian/${name}/lintian-overrides`).catch(() => undefined);
  if (overrides !== undefined) await put(folder, join('usr/share/lintian/overrides', name), overrides);
}

/** @returns the name of the package's file */
async function pack(out, folder, { name, version, date, maintainer, homepage, architecture }) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const files = paths.filter((path, at) => entries[at].isFile() && !path.startsWith('DEBIAN/')).sort();
  const sums = [];
  let bytes = 0;
  for (const path of files) {
    const contents = await readFile(join(folder, path));
    bytes += Math.ceil(contents.length / 1024) * 1024;
    sums.push(`${createHash('md5').update(contents).digest('hex')}  ${path}\n`);
  }
  await put(folder, 'DEBIAN/md5sums', sums.join(''));
  const fields = await source(`deploy/debian/${name}/control`, 'utf8');
  const control = [
    `Package: ${name}`,
    `Version: ${version}-1`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Homepage: ${homepage}`,
    `Installed-Size: ${Math.round(bytes / 1024)}`,
    fields.replaceAll('${version}', `${version}-1`),
  ];
  await put(folder, 'DEBIAN/control', control.join('\n'));
  const seconds = Math.floor(Date.parse(date) / 1000);
  const folders = ['', 'DEBIAN', ...paths.filter((_path, at) => entries[at].isDirectory())];
  // The umask of the builder does not count.
  for (const path of folders) await chmod(join(folder, path), 0o755);
  for (const path of ['DEBIAN/md5sums', 'DEBIAN/control', ...paths, ...folders])
    await lutimes(join(folder, path), seconds, seconds);
  const file = `${name}_${version}-1_${architecture}.deb`;
  const args = ['--root-owner-group', '-Zxz', '-z6', '--threads-max=1', '--build', folder, join(out, file)];
  await call('dpkg-deb', args, { env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) } });
  return file;
}

/** A script with an interpreter, or a binary. */
const isProgram = (contents) => ['#!', '\x7fE'].includes(contents.toString('latin1', 0, 2));

const source = (path, encoding) => readFile(join(ROOT, path), encoding);

/** Without name and time. */
function zip(text) {
  const packed = gzipSync(text, { level: 9 });
  packed[9] = 255;
  return packed;
}

async function put(folder, path, contents, mode = 0o644) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), contents);
  await chmod(join(folder, path), mode);
}

async function link(folder, path, to) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(to, join(folder, path));
}
