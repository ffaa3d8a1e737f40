export {
  accountCard,
  type Card,
  cardPath,
  type CardSubject,
  cardVersion,
  challengeCard,
  etchCard,
  homeCard,
} from './cards/card.ts';
export type { DrawAnswer, DrawRequest } from './cards/worker.ts';
export { atomEntry, atomFeed } from './sharing/atom.ts';
export { challengeEmbedPage, embedPage, type EmbedParts, embedPolicy } from './sharing/embed.tsx';
export { type GuideHit, guidePage, guideSearchPage } from './pages/guide.tsx';
export { recordCard, type RecordEmbed, recordEmbedPage, recordSvg } from './sharing/record-embed.tsx';
export { challengeOembed, etchOembed, linkOembed, type OembedBounds } from './sharing/oembed.ts';
export { challengeState, etchState, type LiveMessage } from './live-state.ts';
export { receiptFile, type ReceiptFileParts, receiptFilePolicy } from './receipt-file.tsx';
export { NEWS_COUNTED, type Page, type Site, SITE_NOTICES, type SiteNotice, type Theme } from './site.ts';
export { aboutPage, installPage, privacyPage, type Tarball } from './pages/about.tsx';
export { accountPage } from './pages/account.tsx';
export { ANSWERS_BY, type AnswersBy, challengePage } from './pages/challenge.tsx';
export {
  isRoot,
  type ListOutcomes,
  nameOf,
  noteSubject,
  questionText,
  titleOf,
  unitOf,
} from './etch-text.ts';
export { challengesPage } from './pages/challenges.tsx';
export { etchPage } from './pages/etch.tsx';
export { drawPortrait, PORTRAITS } from './parts/author.tsx';
export { drawAnswer, drawEtchCard } from './parts/etch-card.tsx';
export { ETCH_NOTICES, type Own } from './parts/etch-actions.tsx';
export { readAnswer, type Reading, type Said, saidOf } from './said.ts';
export { challengeCalendar, etchCalendar } from './sharing/calendar.ts';
export type { Following } from './parts/follow-button.tsx';
export type { FormProblem } from './parts/form.tsx';
export { AGENTS_DONE, type AgentsData, agentsPage } from './pages/account/agents.tsx';
export { removeWebhookPage, webhookPage, webhooksPage } from './pages/account/webhooks.tsx';
export { keysPage, revokeKeyPage } from './pages/account/keys.tsx';
export { limitsPage, PROFILE_DONE, profilePage } from './pages/account/profile.tsx';
export { feedPage, followingPage, watchingPage } from './pages/following.tsx';
export { inboxPage, type Rank } from './pages/inbox.tsx';
export { questionOf, typedAsks } from './asks.ts';
export { type ChallengeDraft, newChallengePage, previewChallengePage } from './pages/new-challenge.tsx';
export {
  previewResolutionPage,
  type ResolutionDraft,
  resolvePage,
  type Resolving,
} from './pages/resolve.tsx';
export { retractPage } from './pages/retract.tsx';
export {
  type IssuerForm,
  issuerProblemPage,
  issuerSignInPage,
  SIGN_IN_PROBLEMS,
  signedOutPage,
  signInPage,
  type SignInProblem,
} from './pages/sign-in.tsx';
export {
  type Answering,
  type EtchDraft,
  forecastFields,
  type ForecastPart,
  KINDS,
  PREREGISTRATION,
  sectionField,
  wordsMisfit,
} from './parts/etch-draft.ts';
export { previewEtchPage } from './pages/preview-etch.tsx';
export { type WriteData, writePage } from './pages/write.tsx';
export { homePage, type OwnData } from './pages/home.tsx';
export { howToVerifyPage } from './pages/how-to-verify.tsx';
export { chooseExample, type TryExample } from './try-example.ts';
export { openSealPage, verifyPage } from './pages/verify.tsx';
export { apiReferencePage, apiReferenceParts } from './pages/api-reference.tsx';
export { problemPage } from './pages/problem.tsx';
export { presetTime } from './presets.ts';
export type { SearchData } from './parts/search-aids.tsx';
export { searchPage, topicPage } from './pages/search.tsx';
export { type StatusData, statusPage } from './pages/status.tsx';
export { PAGE as LEAVES_ON_A_PAGE, treePage, treesPage } from './pages/trees.tsx';
export { verifyEtchPage } from './pages/verify-etch.tsx';

// By package name, because the bundled server has no path to this folder.
/** Built browser files, named by content, and `manifest.json`. */
export const ISLANDS_FOLDER = new URL('./islands/', import.meta.resolve('@svc/web'));

export const CARD_WORKER = new URL('./cards/worker.js', import.meta.resolve('@svc/web'));
