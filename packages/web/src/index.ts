export { accountCard, type Card, cardVersion, challengeCard, etchCard, homeCard } from './cards/card.ts';
export { cardPath, type CardSubject } from './cards/path.ts';
export type { DrawAnswer, DrawRequest } from './cards/worker.ts';
export { atomEntry, atomFeed } from './sharing/atom.ts';
export { embedPage, type EmbedParts, embedPolicy } from './sharing/embed.tsx';
export { etchOembed, linkOembed, type OembedBounds } from './sharing/oembed.ts';
export { challengeState, etchState, type LiveMessage } from './live-state.ts';
export type { ReceiptFileParts } from './receipt-file.tsx';
export { receiptFile, receiptFilePolicy } from './receipt-file.tsx';
export type { Page, Site, Theme } from './site.ts';
export { aboutPage } from './pages/about.tsx';
export { privacyPage } from './pages/privacy.tsx';
export { accountPage } from './pages/account.tsx';
export { challengePage } from './pages/challenge.tsx';
export { challengesPage } from './pages/challenges.tsx';
export { etchPage } from './pages/etch.tsx';
export { pagePieces } from './drawn.ts';
export { drawEtchCard } from './parts/etch-card.tsx';
export type { Own } from './parts/etch-actions.tsx';
export type { Following } from './parts/follow-button.tsx';
export type { FormProblem } from './parts/told-problem.ts';
export type { AgentsData } from './pages/account/agents.tsx';
export { AGENTS_DONE, agentsPage } from './pages/account/agents.tsx';
export { keysPage } from './pages/account/keys.tsx';
export { limitsPage } from './pages/account/limits.tsx';
export { PROFILE_DONE, profilePage } from './pages/account/profile.tsx';
export { feedPage } from './pages/feed.tsx';
export type { ChallengeDraft } from './pages/new-challenge.tsx';
export { newChallengePage, previewChallengePage } from './pages/new-challenge.tsx';
export { retractPage } from './pages/retract.tsx';
export type { SignInProblem } from './pages/sign-in.tsx';
export { SIGN_IN_PROBLEMS, signedOutPage, signInPage } from './pages/sign-in.tsx';
export { watchingPage } from './pages/watching.tsx';
export { type Answering, type EtchDraft, wordsMisfit } from './parts/etch-draft.ts';
export { forecastFields, type ForecastPart } from './parts/forecast-draft.ts';
export { previewEtchPage } from './pages/preview-etch.tsx';
export { writePage } from './pages/write.tsx';
export { homePage } from './pages/home.tsx';
export { howToVerifyPage } from './pages/how-to-verify.tsx';
export { openSealPage } from './pages/open-seal.tsx';
export { apiReferencePage, apiReferenceParts } from './pages/api-reference.tsx';
export { type IssuerForm, issuerProblemPage, issuerSignInPage } from './pages/issuer.tsx';
export { problemPage } from './pages/problem.tsx';
export type { SearchData } from './pages/search.tsx';
export { searchPage } from './pages/search.tsx';
export type { StatusData } from './pages/status.tsx';
export { statusPage } from './pages/status.tsx';
export { PAGE as LEAVES_ON_A_PAGE, treePage } from './pages/tree.tsx';
export { treesPage } from './pages/trees.tsx';
export { topicPage } from './pages/topic.tsx';
export { verifyEtchPage } from './pages/verify-etch.tsx';

// By the package's name: the server's programs are bundled, and know no other way back to its folder.
/** Where the build puts what browsers load: files named by their content, and `manifest.json` that names them. */
export const ISLANDS_FOLDER = new URL('./islands/', import.meta.resolve('@svc/web'));

/** The program of the thread that draws preview pictures. */
export const CARD_WORKER = new URL('./cards/worker.js', import.meta.resolve('@svc/web'));
