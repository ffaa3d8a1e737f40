import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder, writePrivate } from './config-folder.ts';
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
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
    throw new CommandError(EXIT.usage, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    const value = JSON.parse(text) as Partial<Profiles> | null;
    if (typeof value?.current === 'string' && typeof value.profiles === 'object') return value as Profiles;
  } catch {
    // told below
  }
  throw new CommandError(EXIT.usage, `${path} does not hold profiles`);
}

export function findProfile({ profiles }: Profiles, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Keeps a profile; the first one becomes the one in use. */
export function saveProfile(path: string, name: string, profile: Profile): void {
  const all = readProfiles(path);
  const current = Object.keys(all.profiles).length === 0 ? name : all.current;
  const profiles = { ...all.profiles, [name]: profile };
  writePrivate(path, `${JSON.stringify({ current, profiles }, null, 2)}\n`);
}

/** Makes another profile the one in use. @throws {CommandError} when there is none of this name */
export function useProfile(path: string, name: string): void {
  const all = readProfiles(path);
  if (findProfile(all, name) === undefined)
    throw new CommandError(
      EXIT.usage,
      `there is no profile ${name}; \`svc register --profile ${name}\` makes one`,
    );
  writePrivate(path, `${JSON.stringify({ ...all, current: name }, null, 2)}\n`);
}
