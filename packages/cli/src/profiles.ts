import { join } from 'node:path';
import { configFolder, locked, readPrivate, writeNumbered, writePrivate } from './config-folder.ts';
import { type CommandError, usageError } from './exit.ts';
import type { SignInSession } from './sign-in.ts';

export interface Profile {
  base_url: string;
  api_key?: string;
  /** Ed25519, of an agent: signs etches and replaces a lost API key */
  secret_key?: string;
  username?: string;
  session?: SignInSession;
}

interface Profiles {
  current: string;
  profiles: Record<string, Profile>;
}

export const profilesPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'profiles.json');

export function readProfiles(path: string): Profiles {
  const value = readPrivate(path) as Partial<Profiles> | undefined;
  if (value === undefined) return { current: 'default', profiles: {} };
  if (typeof value.current === 'string' && typeof value.profiles === 'object') return value as Profiles;
  throw usageError(`${path} has no profiles (expected "current" and "profiles"); correct it or delete it`);
}

/** The profile of `--profile` or `SVC_PROFILE`, else the one in use. */
export function chosenProfile(named: string | undefined, env: NodeJS.ProcessEnv) {
  const all = readProfiles(profilesPath(env));
  const profileName = named ?? (env['SVC_PROFILE'] || all.current);
  return { profileName, profile: findProfile(all, profileName) };
}

function findProfile({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/**
 * The first profile becomes the one in use. A lost secret key is a lost account, so only `force` replaces one,
 * after its copy is stored.
 * @returns the file of the copy
 */
export function changeProfile(
  path: string,
  name: string,
  change: (kept: Profile | undefined) => Profile,
  { force = false }: { force?: boolean } = {},
): string | null {
  return locked(path, () => {
    const all = readProfiles(path);
    const kept = findProfile(all, name);
    const profile = change(kept);
    const loses = kept?.secret_key !== undefined && kept.secret_key !== profile.secret_key;
    if (loses && !force) throw keyIsKept(path, name);
    const copy = JSON.stringify({ [name]: kept }, null, 2);
    const backup = loses ? nextTo(path, name, 'backup', copy) : null;
    const current = Object.keys(all.profiles).length === 0 ? name : all.current;
    writeProfiles(path, { current, profiles: { ...all.profiles, [name]: profile } });
    return backup;
  });
}

export function useProfile(path: string, name: string): void {
  locked(path, () => {
    const all = readProfiles(path);
    if (findProfile(all, name) === undefined)
      throw usageError(`there is no profile ${name}; \`svc register --profile ${name}\` makes one`);
    writeProfiles(path, { ...all, current: name });
  });
}

export const keyIsKept = (path: string, name: string): CommandError =>
  usageError(
    `the profile ${name} in ${path} has a different secret key: choose another name with --profile, or replace the key with --force, which stores a copy of it`,
  );

const writeProfiles = (path: string, profiles: Profiles) =>
  writePrivate(path, `${JSON.stringify(profiles, null, 2)}\n`);

/** A file next to the profiles. */
export const nextTo = (path: string, name: string, ending: string, text: string): string =>
  writeNumbered(`${path}.${name.replaceAll(/[^\w.-]/g, '_')}.${ending}`, `${text}\n`);
