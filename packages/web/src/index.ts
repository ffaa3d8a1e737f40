export { accountCard, type Card, cardVersion, challengeCard, etchCard, homeCard } from './cards/card.ts';
export { cardPath, type CardSubject } from './cards/card.ts';
export type { DrawAnswer, DrawRequest } from './cards/worker.ts';
export { atomEntry, atomFeed } from './sharing/atom.ts';
export { embedPage, type EmbedParts, embedPolicy } from './sharing/embed.tsx';
export { type GuideHit, guidePage, guideSearchPage } from './pages/guide.tsx';
export { recordCard, type RecordEmbed, recordEmbedPage, recordSvg } from './sharing/record-embed.tsx';
export { challengeEmbedPage } from './sharing/embed.tsx';
export { challengeOembed, etchOembed, linkOembed, type OembedBounds } from './sharing/oembed.ts';
export { challengeState, etchState, type LiveMessage } from './live-state.ts';
export type { ReceiptFileParts } from './receipt-file.tsx';
export { receiptFile, receiptFilePolicy } from './receipt-file.tsx';
export { NEWS_COUNTED, SITE_NOTICES, type Page, type Site, type SiteNotice, type Theme } from './site.ts';
export { aboutPage } from './pages/about.tsx';
export { privacyPage } from './pages/privacy.tsx';
export { accountPage } from './pages/account.tsx';
export { ANSWERS_BY, type AnswersBy, challengePage } from './pages/challenge.tsx';
export { type ListOutcomes, unitOf } from './questions.ts';
export { challengesPage } from './pages/challenges.tsx';
export { etchPage } from './pages/etch.tsx';
export { nameOf } from './names.ts';
export { drawPortrait, PORTRAITS } from './portrait.ts';
export { pagePieces } from './drawn.ts';
export { drawEtchCard } from './parts/etch-card.tsx';
export { ETCH_NOTICES, type Own } from './parts/etch-actions.tsx';
export { drawAnswer } from './parts/answer-card.tsx';
export { readAnswer, type Reading, type Said, saidOf } from './said.ts';
export { challengeCalendar, etchCalendar } from './sharing/calendar.ts';
export type { Following } from './parts/follow-button.tsx';
export type { FormProblem } from './parts/form.tsx';
export type { AgentsData } from './pages/account/agents.tsx';
export { AGENTS_DONE, agentsPage } from './pages/account/agents.tsx';
export { removeWebhookPage, webhookPage } from './pages/account/webhook.tsx';
export { webhooksPage } from './pages/account/webhooks.tsx';
export { keysPage, revokeKeyPage } from './pages/account/keys.tsx';
export { limitsPage } from './pages/account/limits.tsx';
export { PROFILE_DONE, profilePage } from './pages/account/profile.tsx';
export { followingPage } from './pages/following.tsx';
export { installPage, type Tarball } from './pages/install.tsx';
export { inboxPage, type Rank } from './pages/inbox.tsx';
export { feedPage } from './pages/feed.tsx';
export { questionOf, typedAsks } from './asks.ts';
export type { ChallengeDraft } from './pages/new-challenge.tsx';
export { newChallengePage, previewChallengePage } from './pages/new-challenge.tsx';
export {
  previewResolutionPage,
  type ResolutionDraft,
  resolvePage,
  type Resolving,
} from './pages/resolve.tsx';
export { retractPage } from './pages/retract.tsx';
export type { SignInProblem } from './pages/sign-in.tsx';
export { SIGN_IN_PROBLEMS, signedOutPage, signInPage } from './pages/sign-in.tsx';
export { watchingPage } from './pages/watching.tsx';
export {
  type Answering,
  type EtchDraft,
  KINDS,
  PREREGISTRATION,
  sectionField,
  wordsMisfit,
} from './parts/etch-draft.ts';
export { isRoot } from './words-text.ts';
export { forecastFields, type ForecastPart } from './parts/forecast-draft.ts';
export { previewEtchPage } from './pages/preview-etch.tsx';
export { type WriteData, writePage } from './pages/write.tsx';
export { homePage } from './pages/home.tsx';
export type { OwnData } from './parts/own-summary.tsx';
export { howToVerifyPage } from './pages/how-to-verify.tsx';
export { chooseExample, type TryExample } from './try-example.ts';
export { openSealPage } from './pages/open-seal.tsx';
export { apiReferencePage, apiReferenceParts } from './pages/api-reference.tsx';
export { type IssuerForm, issuerProblemPage, issuerSignInPage } from './pages/issuer.tsx';
export { problemPage } from './pages/problem.tsx';
export { questionText } from './questions.ts';
export { noteSubject } from './title.ts';
export { titleOf } from './title.ts';
export { presetTime } from './presets.ts';
export type { SearchData } from './parts/search-aids.tsx';
export { searchPage } from './pages/search.tsx';
export type { StatusData } from './pages/status.tsx';
export { statusPage } from './pages/status.tsx';
export { PAGE as LEAVES_ON_A_PAGE, treePage } from './pages/tree.tsx';
export { treesPage } from './pages/trees.tsx';
export { topicPage } from './pages/topic.tsx';
export { verifyPage } from './pages/verify.tsx';
export { verifyEtchPage } from './pages/verify-etch.tsx';

// By package name, because the bundled server has no path to this folder.
/** Built browser files, named by content, and `manifest.json`. */
export const ISLANDS_FOLDER = new URL('./islands/', import.meta.resolve('@svc/web'));

export const CARD_WORKER = new URL('./cards/worker.js', import.meta.resolve('@svc/web'));
