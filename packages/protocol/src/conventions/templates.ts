/** docs/templates/README.md */
export const TEMPLATES = {
  forecast: `svc-forecast:v1 yes=0.72

Question: will the bridge over the weir be open to traffic on 2027-05-31?
Counts as yes: the road authority lists it as open on that day.
Why: the deck is on, two of three tests are passed, and the last two bridges by this builder opened on time.
What would change my mind: a strike, or frost after March.
`,
  preregistration: `# Hypothesis
Plots under net hold more seedlings after six weeks than open plots.

# Design
Plots are paired. A coin decides which plot of a pair is under net. Two people count, and do not know which.

# Sample
40 plots of one square meter on one meadow.

# Analysis
Paired t-test of the counts, two-sided, at 5 %. Every other test is called exploratory.

# Exclusion rules
Pairs that cattle trampled are left out, and named.

# Stop rules
All pairs are counted once, after six weeks.
`,
  disclosure: `A flaw in the signature check of version 4.2 lets anybody sign in as anybody.

Told to the maintainer on the day of this etch; sealed until the fix is out. The proof of concept is among the files that are
committed to under the root on the first line, and is shown, one file of them, when this opens.
`,
} as const;

export type TemplateName = keyof typeof TEMPLATES;
