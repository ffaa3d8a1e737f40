/** The shorter seals are open after this time. */
export const LATER_MS = 30 * 86_400_000;

const write = { path: () => '/write', signedInAs: 'Ada Lindqvist', prepare: fillIn };

/** The first two are taken before that time. `path` receives the story's records, `from` is the element at the top. */
export const PAGES = {
  status: { path: () => '/status', height: 620, early: true },
  sealed: { path: ({ sealed }) => `/e/${sealed.id}`, height: 640, early: true },
  home: { path: () => '/', height: 720 },
  write: { ...write, height: 750 },
  seal: { ...write, height: 640, from: '.entry:has(select)' },
  etch: { path: ({ opened }) => `/e/${opened.id}`, height: 760 },
  challenge: { path: ({ challenge }) => `/ch/${challenge.id}`, height: 860 },
  verify: { path: ({ opened }) => `/e/${opened.id}/verify`, height: 760, prepare: checked },
  try: { path: () => '/verify/how', height: 640, from: '#try', prepare: changeLetter },
};

async function fillIn(page) {
  await page.getByLabel('Your words').fill('The swifts are back over the harbour before the tenth of May.');
  await page.getByRole('textbox', { name: 'Description' }).fill('When the swifts come back');
  await page.getByLabel('Topic').selectOption('science');
  await page.getByLabel('Sealed until a date').check();
}

async function checked(page) {
  await page.locator('[data-overall]', { hasText: 'your own browser' }).waitFor();
}

async function changeLetter(page) {
  const words = page.getByLabel('The words', { exact: true });
  await words.fill((await words.inputValue()).replace('left', 'right'));
  await page.locator('[data-verdict=other]').waitFor();
}
