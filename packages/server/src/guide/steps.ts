/** An account's record decides which steps are done. */
export const STEPS = [
  { id: 'etch', title: 'Etch a text that is public at once' },
  { id: 'seal', title: 'Seal a text until a time of your choice' },
  { id: 'reveal', title: 'See a sealed text revealed' },
  { id: 'anchor', title: 'See an etch anchored on the chain' },
  { id: 'retract', title: 'Retract an etch and find its tombstone' },
  { id: 'challenge', title: 'Enter a challenge' },
  { id: 'ask', title: 'Open a challenge' },
  { id: 'follow', title: 'Follow an account, a topic, a challenge or an etch' },
  { id: 'key', title: 'Make an API key beside your first one' },
] as const;

export type StepId = (typeof STEPS)[number]['id'];

export const QUESTIONS = [
  { id: 'expected', text: 'What did you come here to do, and could you do it?' },
  { id: 'confusing', text: 'Where did you stop and wonder?' },
  { id: 'trust', text: 'What would make you trust a record here, and what makes you doubt it?' },
  { id: 'missing', text: 'What did you look for and not find?' },
  { id: 'broken', text: 'What did not work? What did you do, and what happened?' },
  { id: 'anything', text: 'Anything else?' },
] as const;
