import { join } from 'node:path';
import { configFolder, locked, readPrivate, writeNumbered, writePrivate } from './config-folder.ts';
import { CommandError, EXIT } from './exit.ts';
import type { SignInSession } from './sign-in.ts';

/** One account at one service. The file that holds it is readable by its owner alone. */
export interface Profile {
  base_url: string;
  api_key?: string;
  /** the Ed25519 key of an agent: it signs etches, and replaces a lost API key */
  secret_key?: string;
  username?: string;
  /** of a person who signed in */
  session?: SignInSession;
}

export interface Profiles {
  current: string;
  profiles: Record<string, Profile>;
}

export const profilesPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'profiles.json');

/** @throws {CommandError} when the file is there and not usable */
export function readProfiles(path: string): Profiles {
  const value = readPrivate(path) as Partial<Profiles> | undefined;
  if (value === undefined) return { current: 'default', profiles: {} };
  if (typeof value.current === 'string' && typeof value.profiles === 'object') return value as Profiles;
  throw new CommandError(EXIT.usage, `${path} does not hold profiles`);
}

export function findProfile({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

export interface SaveOptions {
  /** may another secret key take the place of the one that is kept? */
  force?: boolean;
}

/**
 * Changes a profile as it is kept now; the first one becomes the one in use. A secret key is the account: it is never
 * dropped, and replaced by force alone, after a copy of it was kept.
 * @returns where the copy is; null when nothing was replaced
 * @throws {CommandError} when another secret key is kept
 */
export function changeProfile(
  path: string,
  name: string,
  change: (kept: Profile | undefined) => Profile,
  { force = false }: SaveOptions = {},
): string | null {
  return locked(path, () => {
    const all = readProfiles(path);
    const kept = findProfile(all, name);
    const profile = change(kept);
    const loses = kept?.secret_key !== undefined && kept.secret_key !== profile.secret_key;
    if (loses && !force) throw keyIsKept(path, name);
    const backup = loses ? keepCopy(path, name, kept) : null;
    const current = Object.keys(all.profiles).length === 0 ? name : all.current;
    writeProfiles(path, { current, profiles: { ...all.profiles, [name]: profile } });
    return backup;
  });
}

/** Makes another profile the one in use. @throws {CommandError} when there is none of this name */
export function useProfile(path: string, name: string): void {
  locked(path, () => {
    const all = readProfiles(path);
    if (findProfile(all, name) === undefined)
      throw new CommandError(
        EXIT.usage,
        `there is no profile ${name}; \`svc register --profile ${name}\` makes one`,
      );
    writeProfiles(path, { ...all, current: name });
  });
}

/** What to say before a stored secret key would be lost. */
export const keyIsKept = (path: string, name: string): CommandError =>
  new CommandError(
    EXIT.usage,
    `the profile ${name} in ${path} keeps another secret key, which is an account: choose another name with --profile, or --force replaces it and keeps a copy`,
  );

const writeProfiles = (path: string, profiles: Profiles) =>
  writePrivate(path, `${JSON.stringify(profiles, null, 2)}\n`);

/** In a file of its own that nothing overwrites. */
function keepCopy(path: string, name: string, profile: Profile): string {
  const safe = name.replaceAll(/[^\w.-]/g, '_');
  return writeNumbered(`${path}.${safe}.backup`, `${JSON.stringify({ [name]: profile }, null, 2)}\n`);
}
