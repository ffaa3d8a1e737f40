import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';
import { mountAccountPage } from './account.tsx';
import { mountChallengePage } from './challenge.tsx';
import { mountChallengesPage } from './challenges.tsx';
import { mountEtchPage } from './etch.tsx';
import { mountReceiptPage } from './receipt.ts';
import { mountTreePages } from './trees.tsx';
import { mountVerifyEtchPage } from './verify-etch.tsx';
import { mountAssets } from './assets.ts';
import { mountCards, mountRecordEmbeds, mountSharing } from './sharing.ts';
import { changeThemeInForm, mountTheme, takeForms } from './form.ts';
import { countNews, leadToBaseUrl, loadSession, requireOwnForm, sendProblem } from './session.ts';
import { leaveOutEnd, sendReturned } from './send.ts';
import { mountSignedInPages } from './signed-in/mount.ts';
import { dropEtched } from './site.ts';
import { mountSiteFiles, mountSitemap } from './site-files.ts';
import { mountHomePage } from './home.tsx';
import { mountSearchPage } from './search.tsx';
import { mountTopicPage } from './topic.tsx';
import { mountGuidePages } from './guide.tsx';
import { mountInstallPage } from './install.tsx';
import { mountApiReferencePage } from './api-reference.tsx';
import { mountAboutPage } from './about.tsx';
import { mountPrivacyPage } from './privacy.tsx';
import { mountOpenSealPage } from './open-seal.tsx';
import { createEtchExamples } from './etch-examples.ts';
import { mountVerifyPage } from './verify.tsx';
import { mountHowToVerifyPage } from './how-to-verify.tsx';

const PAGES = [
  mountHomePage,
  mountSearchPage,
  mountTopicPage,
  mountEtchPage,
  mountVerifyEtchPage,
  mountReceiptPage,
  mountChallengesPage,
  mountChallengePage,
  mountAccountPage,
  mountGuidePages,
  mountInstallPage,
  mountRecordEmbeds,
  mountTreePages,
  mountApiReferencePage,
  mountAboutPage,
  mountPrivacyPage,
  mountOpenSealPage,
  mountSignedInPages,
];

export function mountPages(app: FastifyInstance, deps: HttpDependencies): void {
  const { baseUrl } = deps;
  void app.register(async (pages) => {
    pages.setErrorHandler(sendProblem(deps));
    sendReturned(pages);
    pages.addHook('preValidation', async (request) => joinRepeated(request.query));
    pages.addHook('onRequest', async (request, reply) => (leaveOutEnd(request, reply) ? reply : undefined));
    pages.addHook('onRequest', leadToBaseUrl(baseUrl));
    pages.addHook('onRequest', requireOwnForm(baseUrl));
    pages.addHook('onRequest', loadSession(deps));
    pages.addHook('onRequest', countNews(deps));
    pages.addHook('onRequest', dropEtched(baseUrl));
    pages.addHook('preValidation', changeThemeInForm(baseUrl));
    takeForms(pages);
    mountAssets(pages);
    for (const mount of PAGES) mount(pages, deps);
    const examples = createEtchExamples(deps);
    mountVerifyPage(pages, deps, examples);
    mountHowToVerifyPage(pages, deps, examples);
    mountTheme(pages, baseUrl);
  });
  // No session is read, so every reader gets the same bytes.
  void app.register(async (shared) => {
    shared.setErrorHandler(sendProblem(deps));
    for (const mount of [mountSiteFiles, mountSitemap, mountCards, mountSharing]) mount(shared, deps);
  });
}

function joinRepeated(query: unknown): void {
  const values = query as Record<string, string | string[]>;
  for (const name of ['category', 'status']) {
    const value = values[name];
    if (Array.isArray(value)) values[name] = value.join(',');
  }
  for (const [name, value] of Object.entries(values)) if (value === '') delete values[name];
}
