import { aboutPage, privacyPage } from './about.tsx';
import { apiReferencePage, apiReferenceParts } from './api-reference.tsx';
import { chooseExample, type TryExample } from '@svc/web/try-example';
import { howToVerifyPage } from './how-to-verify.tsx';
import { openSealPage, verifyPage } from './verify.tsx';
import { statusPage } from './status.tsx';
import type { FastifyInstance } from 'fastify';
import { EVENTS_KEPT_DAYS } from '../../events/event-store.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { type ReadVitals, statusView } from '../../vitals/vitals.ts';
import type { Parts } from '../parts.ts';
import { serviceInfo } from '../public-files.ts';
import { mountAccountPage } from './account.tsx';
import { mountChallengePage } from './challenge.tsx';
import { mountChallengesPage } from './challenges.tsx';
import { mountEtchPage } from './etch.tsx';
import { mountReceiptPage } from './receipt.ts';
import { mountTreePages } from './trees.tsx';
import { mountVerifyEtchPage } from './verify-etch.tsx';
import { mountAssets } from './assets.ts';
import { mountCards, mountRecordEmbeds, mountSharing } from './sharing.ts';
import { mountDiscoveryPages } from './discovery.ts';
import { changeThemeInForm, mountTheme, takeForms } from './form.ts';
import { mountGuides } from './guides.ts';
import { countNews, loadSession, requireOwnForm, sendProblem } from './session.ts';
import { leaveOutEnd, sendReturned, wantsJson } from './send.ts';
import { mountSignedInPages } from './signed-in/mount.ts';
import { siteFor, siteWithChain } from './site.ts';
import { mountInstall, mountSiteFiles, mountSitemap } from './site-files.ts';
import { readShown } from '../../discovery/feed-store.ts';

export function mountPages(app: FastifyInstance, parts: Parts): void {
  const { baseUrl } = parts;
  void app.register(async (pages) => {
    pages.setErrorHandler(sendProblem(parts));
    sendReturned(pages);
    pages.addHook('preValidation', async (request) => joinRepeated(request.query));
    pages.addHook('onRequest', async (request, reply) => (leaveOutEnd(request, reply) ? reply : undefined));
    pages.addHook('onRequest', requireOwnForm(baseUrl));
    pages.addHook('onRequest', loadSession(parts));
    pages.addHook('onRequest', countNews(parts));
    pages.addHook('preValidation', changeThemeInForm(baseUrl));
    takeForms(pages);
    mountAssets(pages);
    for (const mount of [
      mountDiscoveryPages,
      mountEtchPage,
      mountVerifyEtchPage,
      mountReceiptPage,
      mountChallengesPage,
      mountChallengePage,
      mountAccountPage,
      mountGuides,
      mountInstall,
      mountRecordEmbeds,
      mountTreePages,
      mountSignedInPages,
    ])
      mount(pages, parts);
    mountTheme(pages, baseUrl);
    let reference: Promise<string[]> | undefined;
    pages.get('/docs', async (request) => {
      reference ??= mapInTimeSlices(
        apiReferenceParts(baseUrl),
        () => 1,
        (part) => part(),
        4,
      );
      return apiReferencePage(siteFor(parts, request), await reference);
    });
    pages.get('/about', async (request) => {
      const { securityContact } = parts.config;
      // The page also answers without chain and database.
      const info = await serviceInfo(parts).then(
        (value) => JSON.stringify(value, null, 2),
        () => null,
      );
      return aboutPage(siteFor(parts, request), { securityContact, info });
    });
    pages.get('/privacy', async (request) => privacyPage(siteFor(parts, request), EVENTS_KEPT_DAYS));
    pages.get('/open', async (request) => openSealPage(siteFor(parts, request)));
    pages.get('/verify', async (request) => {
      const site = await siteWithChain(parts, request);
      return wantsJson(request) ? { chain: site.chain } : verifyPage(site);
    });
    pages.get('/verify/how', async (request) =>
      howToVerifyPage(await siteWithChain(parts, request), await tryExample(parts)),
    );
  });
  // No session is read, so every reader gets the same bytes.
  void app.register(async (shared) => {
    shared.setErrorHandler(sendProblem(parts));
    for (const mount of [mountSiteFiles, mountSitemap, mountCards, mountSharing]) mount(shared, parts);
  });
}

/** Must answer without a database. */
export function mountStatus(app: FastifyInstance, parts: Parts, vitals: ReadVitals): void {
  void app.register(async (pages) => {
    sendReturned(pages);
    pages.get('/status', async (request) => {
      const data = statusView(await vitals(), parts.clock.now());
      return wantsJson(request) ? data : statusPage(siteFor(parts, request), data);
    });
  });
}

async function tryExample({ discovery, clock }: Parts): Promise<TryExample> {
  const { openings, etches } = await readShown(discovery, clock.now(), {
    openings: 5,
    etches: 5,
  }).catch(() => ({ openings: [], etches: [] }));
  return chooseExample([...openings, ...etches]);
}

function joinRepeated(query: unknown): void {
  const values = query as Record<string, string | string[]>;
  for (const name of ['category', 'status']) {
    const value = values[name];
    if (Array.isArray(value)) values[name] = value.join(',');
  }
  for (const [name, value] of Object.entries(values)) if (value === '') delete values[name];
}
