import {
  aboutPage,
  apiReferencePage,
  apiReferenceParts,
  chooseExample,
  howToVerifyPage,
  openSealPage,
  privacyPage,
  type TryExample,
  verifyPage,
} from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { readShown } from '../../discovery/feed.ts';
import { EVENTS_KEPT_DAYS } from '../../events/event-store.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { mountAccountPages } from './accounts.ts';
import { leaveOutEnd, sendData, sendPage, wantedForm } from './send.ts';
import { mountAssets } from './assets.ts';
import { mountCards, mountRecordEmbeds } from './cards.ts';
import { mountChallengePages } from './challenges.ts';
import { mountDiscoveryPages } from './discovery.ts';
import { mountEtchPages } from './etches.ts';
import { changeThemeInForm, mountTheme, takeForms } from './form.ts';
import { mountGuides } from './guides.ts';
import { mountInstall, mountSiteFiles, mountSitemap } from './site-files.ts';
import { countNews, loadSession, requireOwnForm } from './session.ts';
import { type PageParts, siteFor, siteWithChain } from './parts.ts';
import { sendProblem } from './problems.ts';
import { mountSharing } from './sharing.ts';
import { mountSignedInPages } from './signed-in/mount.ts';
import { mountTreePages } from './trees.ts';

export function mountPages(app: FastifyInstance, parts: PageParts): void {
  void app.register(async (pages) => {
    pages.setErrorHandler(sendProblem(parts));
    pages.addHook('preValidation', async (request) => joinRepeated(request.query));
    pages.addHook('onRequest', async (request, reply) => (leaveOutEnd(request, reply) ? reply : undefined));
    pages.addHook('onRequest', requireOwnForm(parts.site.baseUrl));
    pages.addHook('onRequest', loadSession(parts));
    pages.addHook('onRequest', countNews(parts.facts));
    pages.addHook('preValidation', changeThemeInForm(parts.site.baseUrl));
    takeForms(pages);
    mountAssets(pages);
    mountDiscoveryPages(pages, parts);
    mountEtchPages(pages, parts);
    mountChallengePages(pages, parts);
    mountAccountPages(pages, parts);
    mountGuides(pages, parts);
    mountInstall(pages, parts);
    mountRecordEmbeds(pages, parts);
    mountTreePages(pages, parts);
    mountSignedInPages(pages, parts);
    mountTheme(pages, parts.site.baseUrl);
    let reference: Promise<string[]> | undefined;
    pages.get('/docs', async (request, reply) => {
      reference ??= mapInTimeSlices(
        apiReferenceParts(parts.site.baseUrl),
        () => 1,
        (part) => part(),
        4,
      );
      return sendPage(request, reply, apiReferencePage(siteFor(parts.site, request), await reference));
    });
    pages.get('/about', async (request, reply) => {
      const { securityContact, info } = parts.about;
      // The page also answers without chain and database.
      const text = await info().then(
        (value) => JSON.stringify(value, null, 2),
        () => null,
      );
      return sendPage(
        request,
        reply,
        aboutPage(siteFor(parts.site, request), { securityContact, info: text }),
      );
    });
    pages.get('/privacy', async (request, reply) =>
      sendPage(request, reply, privacyPage(siteFor(parts.site, request), EVENTS_KEPT_DAYS)),
    );
    pages.get('/open', async (request, reply) =>
      sendPage(request, reply, openSealPage(siteFor(parts.site, request))),
    );
    pages.get('/verify', async (request, reply) => {
      const site = await siteWithChain(parts.site, request);
      if (wantedForm(request.headers.accept) === 'json')
        return sendData(request, reply, { chain: site.chain });
      return sendPage(request, reply, verifyPage(site));
    });
    pages.get('/verify/how', async (request, reply) => {
      const site = await siteWithChain(parts.site, request);
      return sendPage(request, reply, howToVerifyPage(site, await tryExample(parts)));
    });
  });
  // No session is read, so every reader gets the same bytes.
  void app.register(async (shared) => {
    shared.setErrorHandler(sendProblem(parts));
    mountSiteFiles(shared, {
      baseUrl: parts.site.baseUrl,
      securityContact: parts.about.securityContact,
      now: () => parts.facts.clock.now(),
    });
    mountSitemap(shared, parts);
    mountCards(shared, parts);
    mountSharing(shared, parts);
  });
}

async function tryExample({ discovery, facts }: PageParts): Promise<TryExample> {
  const { openings, etches } = await readShown(discovery, facts.clock.now(), {
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
