import { changeProfile, findProfile, profilesPath, readProfiles } from './profiles.ts';
import { refresh } from './sign-in.ts';

const EARLY_MS = 60_000;

/** Does nothing unless the session is about to end and has a refresh token. */
export async function renewSession(chosen: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  if (env['SVC_API_KEY']) return;
  const path = profilesPath(env);
  const all = readProfiles(path);
  const name = chosen ?? (env['SVC_PROFILE'] || all.current);
  const profile = findProfile(all, name);
  const session = profile?.session;
  if (session?.refresh_token === undefined || session.expires_at === null) return;
  if (session.expires_at - Date.now() > EARLY_MS) return;
  try {
    const renewed = await refresh(session);
    changeProfile(path, name, (old) => ({ ...(old ?? profile!), session: renewed }));
  } catch {
    // The next request reports it.
  }
}
